import type { SpecKey } from '../../../core/specFields.ts';
import { isSpecKey } from '../../../core/specFields.ts';
import type { FieldContent, NameAndValue } from '../../../core/specForm.ts';

/** The content of a field that cannot be put into the text yet. */
export type Draft = readonly [key: SpecKey, content: FieldContent];

/** The control characters that ASCII has for this: nobody types them into a field. */
const betweenDrafts = '\u001e';
const betweenTexts = '\u001f';

/** Writes drafts as one text for the saved state: the key, the kind, and then the words of each. */
export function saveDrafts(drafts: readonly Draft[]): string {
  return drafts
    .map(([key, content]) => [key, content.kind, ...textsOf(content)].join(betweenTexts))
    .join(betweenDrafts);
}

/** The opposite. A draft of a field that is not known any more is forgotten. */
export function restoreDrafts(saved: string): readonly Draft[] {
  return saved.split(betweenDrafts).flatMap((draft) => {
    const [key = '', kind = '', ...texts] = draft.split(betweenTexts);
    const content = contentOf(kind, texts);
    return isSpecKey(key) && content !== undefined ? [[key, content] as const] : [];
  });
}

function textsOf(content: FieldContent): readonly string[] {
  if (content.kind === 'names') return content.names;
  return content.kind === 'rows' ? content.rows.flatMap(({ name, value }) => [name, value]) : [content.text];
}

function contentOf(kind: string, texts: readonly string[]): FieldContent | undefined {
  const [text = ''] = texts;
  if (kind === 'text' || kind === 'yaml') return { kind, text };
  if (kind === 'names') return { kind, names: texts };
  return kind === 'rows' ? { kind, rows: pairsOf(texts) } : undefined;
}

function pairsOf(texts: readonly string[]): NameAndValue[] {
  const rows: NameAndValue[] = [];
  for (let index = 0; index < texts.length; index += 2) {
    rows.push({ name: texts[index] ?? '', value: texts[index + 1] ?? '' });
  }
  return rows;
}
