import { describe, expect, it } from 'vitest';
import { spokenRow } from '../../../../src/core/text/text.ts';

describe('a row as a screen reader says it', () => {
  it.each([
    ['agent', 'Ready · live: 0123456 · 2d ago · prod', 'agent, Ready, live: 0123456, 2d ago, prod'],
    ['main @ 0123456', 'Deployed · active · latest', 'main @ 0123456, Deployed, active, latest'],
    ['Load more…', '', 'Load more…'],
  ])('joins the name and its description with commas: %s', (label, description, sentence) => {
    expect(spokenRow(label, description)).toBe(sentence);
  });
});
