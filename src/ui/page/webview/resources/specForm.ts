import * as l10n from '@vscode/l10n';
import { isItemsKey, specKeys, type SpecKey } from '../../../../core/spec/fields.ts';
import { fieldLabel } from '../../../../core/spec/help.ts';
import { isYamlList, tidyPastedYaml } from '../../../../core/spec/part.ts';
import type { Preset } from '../../../../core/spec/presets.ts';
import type { YamlEdit } from '../../../../core/yaml/edit.ts';
import { isAbsent, type SpecPath } from '../../../../core/yaml/value.ts';
import type { errorAlert, ErrorLink, statusLine } from '../alerts.ts';
import { button } from '../dom.ts';
import { toFocus } from '../focus.ts';
import { typingPause } from '../typing.ts';
import { type FormModel, isError, type ReceivedText, type UnsentChange } from './formModel.ts';
import type { InputWay } from './itemList.ts';
import { presetsView, type Start } from './presets.ts';
import { sectionList } from './sections.ts';

/** The page around the fields of a spec. */
interface SpecPage {
  /** What the ids of these fields begin with, on a page that has others. */
  readonly prefix: string;
  readonly status: ReturnType<typeof statusLine>;
  readonly alert: ReturnType<typeof errorAlert>;
  /** Other starting points than the presets. */
  readonly starts: readonly Start[];
  /** Shows the model; `source` is the part where the user is typing. */
  readonly render: (source?: string) => void;
  readonly tellChange: (change: UnsentChange) => void;
  /** Tells what is being typed, before it is a change; undefined once it is one, or is taken back. */
  readonly tellTyping: (typed?: Typing) => void;
  /** Takes back the document's last change. */
  readonly undoChange: () => void;
  /** Sections were opened or folded. */
  readonly onToggle: () => void;
}

/** What is being typed: the YAML of a field, or the edits that it means. */
type Typing = { readonly key: SpecKey; readonly text: string } | { readonly edits: readonly YamlEdit[] };

/** Input that the model hasn't read yet: with a long text, each key would wait for that. */
interface Typed {
  /** The part where the user is typing. Empty for a button. */
  readonly place: string;
  readonly read: () => void;
}

/** The fields of a spec: hands what the user does there to the model, and its changes to the document. */
export function specForm(model: FormModel, page: SpecPage) {
  const { status, alert, render } = page;
  let typed: Typed | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest text of the document, if it came while the user typed. */
  let arrived: ReceivedText | undefined;
  /** Puts the focus back where an undo of the last input leads. */
  let focusUndone: (() => void) | undefined;
  const sections = sectionList(
    {
      prefix: page.prefix,
      onInput: (key, content, way) => {
        // Reading YAML takes too long for each key.
        const typing = content.kind === 'yaml' ? { key, text: content.text } : { edits: model.editsOf(key, content) };
        accept(() => model.edit(key, content), way, key, typing);
      },
      onItems: (path, edits, way) => accept(() => model.editItem(path, edits), way, path.join('/'), { edits }),
      onManifest: offerParts,
      onSwitch: render,
    },
    page.onToggle,
  );
  const presets = presetsView(`${page.prefix}presets`, applyPreset, page.starts);
  return {
    sections,
    presets,
    accept,
    send,
    undo,
    offerParts,
    /** Takes a text of the document, at once or after what is being typed. */
    receive: (text: ReceivedText): void => {
      arrived = text;
      if (typed === undefined) send();
    },
    /** Learns that a change was refused, and says so with `heard`, before anything else is sent. */
    refuse: (id: number, message: string, heard: () => void): void => {
      send();
      heard();
      model.refuse(id, message);
      if (message !== '') {
        alert.showMessage(message);
        // Its undo would undo the step before the refused one.
        status.clear();
      }
      render();
      send();
    },
    isTyping: (): boolean => typed !== undefined,
    /** Remembers where the focus is, to which an undo of what follows leads. */
    keepFocus: (): void => {
      focusUndone = toFocus();
    },
    /** The errors of the fields, each with a link to its place. */
    errorLinks: (go: (key: SpecKey, path?: SpecPath) => void): ErrorLink[] =>
      model.keysWithErrors.flatMap((key) =>
        model
          .findingsOf(key)
          .filter(isError)
          .map(({ message, path }) => ({ label: `${fieldLabel(key)}: ${message}`, go: () => go(key, path) })),
      ),
  };

  /**
   * Takes back input that the document doesn't have yet, or else, with `always`, the document's last change.
   * @returns whether anything is taken back
   */
  function undo(always = false): boolean {
    if (typed !== undefined) {
      typed = undefined;
      page.tellTyping();
      send();
      render();
    } else if (always || model.isWaiting) {
      page.undoChange();
    } else {
      return false;
    }
    return true;
  }

  /** Accepts an input of a place. The last message no longer applies. */
  function accept(read: () => void, way: InputWay, place = '', typing?: Typing): void {
    if (way !== 'typed' || typed?.place !== place) send();
    clearTimeout(timer);
    typed = { place: way === 'typed' ? place : '', read };
    const isRemoval = typeof way === 'object';
    status.show(isRemoval ? l10n.t('Removed.') : '', isRemoval);
    if (isRemoval) focusUndone = way.focusRemoved;
    if (way !== 'typed') return send();
    timer = setTimeout(send, typingPause);
    page.tellTyping(typing);
  }

  function send(): void {
    clearTimeout(timer);
    const sent = typed;
    typed = undefined;
    sent?.read();
    if (sent !== undefined) render(sent.place);
    showArrived();
    for (const change of model.takeUnsent()) page.tellChange(change);
    if (sent !== undefined) page.tellTyping();
  }

  function showArrived(): void {
    if (arrived === undefined) return;
    const before = model.text;
    model.receive(arrived);
    arrived = undefined;
    render();
    // Another change than the page's own, such as an undo.
    if (model.text !== before) {
      const isUndone = status.node.contains(document.activeElement);
      status.clear();
      if (isUndone) focusUndone?.();
    }
  }

  /** Offers the lists of a pasted manifest for the fields that are still empty, one by one. False if there are none. */
  function offerParts(pasted: string, taken?: string): boolean {
    send();
    const offers = specKeys.flatMap((key) => {
      const text = isItemsKey(key) && isAbsent(model.spec[key]) && tidyPastedYaml(pasted, key);
      if (!text || text === taken || !isYamlList(text)) return [];
      return button(fieldLabel(key), () => {
        accept(() => model.edit(key, { kind: 'yaml', text }), 'button');
        offerParts(pasted, taken);
      });
    });
    if (offers.length === 0) return false;
    status.show(l10n.t('Add from the manifest:'), false, ...offers);
    return true;
  }

  function applyPreset({ numbers, label, description }: Preset): void {
    send();
    const before = model.text;
    focusUndone = toFocus();
    const refusal = model.applyNumbers(numbers);
    render();
    send();
    if (refusal === undefined) {
      status.show(l10n.t('Started from {0}: {1}', label, description), model.text !== before);
    } else {
      alert.showMessage(refusal);
    }
  }
}
