import type { SpecKey } from '../../../core/specFields.ts';
import { isSpecKey } from '../../../core/specFields.ts';
import type { FieldContent, NameAndValue } from '../../../core/specForm.ts';
import type { SavedDraft } from './savedState.ts';

/** Flattens the content of a field for the saved state. */
export function saveDraft(key: SpecKey, content: FieldContent): SavedDraft {
  const { kind } = content;
  switch (kind) {
    case 'text':
    case 'yaml':
      return { key, kind, texts: [content.text] };
    case 'names':
      return { key, kind, texts: [...content.names] };
    case 'rows':
      return { key, kind, texts: content.rows.flatMap(({ name, value }) => [name, value]) };
  }
}

/** The opposite; a field that is not known any more is forgotten. */
export function restoreDraft({ key, kind, texts }: SavedDraft): { key: SpecKey; content: FieldContent } | undefined {
  if (!isSpecKey(key)) return undefined;
  switch (kind) {
    case 'text':
    case 'yaml':
      return { key, content: { kind, text: texts[0] ?? '' } };
    case 'names':
      return { key, content: { kind, names: texts } };
    case 'rows':
      return { key, content: { kind, rows: pairsOf(texts) } };
  }
}

function pairsOf(texts: readonly string[]): NameAndValue[] {
  const rows: NameAndValue[] = [];
  for (let index = 0; index < texts.length; index += 2) {
    rows.push({ name: texts[index] ?? '', value: texts[index + 1] ?? '' });
  }
  return rows;
}
