import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenedName, spokenRow, wrapLines } from '../../../../src/core/text/text.ts';

describe('Wrapping a message into lines', () => {
  it('keeps sentences on one line if they fit', () => {
    expect(wrapLines('A project is created too. The name stays.', 60)).toEqual([
      'A project is created too. The name stays.',
    ]);
  });

  it("starts a line for a sentence that doesn't fit on the line before", () => {
    expect(wrapLines('A project is created too. The name stays. So does the source.', 40)).toEqual([
      'A project is created too.',
      'The name stays. So does the source.',
    ]);
    expect(wrapLines('One two. Three four.', 30, 10)).toEqual(['One two.', 'Three four.']);
  });

  it('leaves version numbers and file names whole', () => {
    expect(wrapLines('graph.json needs v1.2. or later', 60)).toEqual(['graph.json needs v1.2. or later']);
  });

  it('breaks a long sentence where a reader pauses, best after a semicolon', () => {
    expect(wrapLines('origin/main is at abc; 2 commits, and 3 files, stay behind.', 40)).toEqual([
      'origin/main is at abc;',
      '2 commits, and 3 files, stay behind.',
    ]);
    expect(wrapLines('The service does not read .env: send what it holds.', 40)).toEqual([
      'The service does not read .env:',
      'send what it holds.',
    ]);
  });

  it('breaks between words if there is no pause', () => {
    expect(wrapLines('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  });

  it('can make the first line shorter', () => {
    expect(wrapLines('one two three four. Five six', 20, 8)).toEqual(['one two', 'three four. Five six']);
  });

  it('keeps a word that is longer than a line', () => {
    expect(wrapLines('a https://code.example/acme/sample-agent b', 10)).toEqual([
      'a',
      'https://code.example/acme/sample-agent',
      'b',
    ]);
  });

  it('loses no text, and exceeds the limit only with a single word', () => {
    const word = fc.stringMatching(/^[a-z0-9.:;,]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (words, limit) => {
        const lines = wrapLines(words.join(' '), limit);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(line.length <= limit || !line.includes(' ')).toBe(true);
      }),
    );
  });
});

describe('a name in a narrow place', () => {
  it.each([
    [10, 'agent', 'agent'],
    [10, 'ten-agents', 'ten-agents'],
    [10, 'customer-support-agent-europe', 'cus…europe'],
    [10, 'customer-support-agent-america', 'cus…merica'],
    [16, 'feature/a-long-branch @ 0123456', 'featu… @ 0123456'],
  ])('has at most %i characters of %s: %s', (limit, name, shown) => {
    expect(shortenedName(name, limit)).toBe(shown);
  });
});

describe('a row as a screen reader says it', () => {
  it.each([
    ['agent', 'Ready · live: 0123456 · 2d ago · prod', 'agent, Ready, live: 0123456, 2d ago, prod'],
    ['main @ 0123456', 'Deployed · active · latest', 'main @ 0123456, Deployed, active, latest'],
    ['Load more…', '', 'Load more…'],
  ])('joins the name and its description with commas: %s', (label, description, sentence) => {
    expect(spokenRow(label, description)).toBe(sentence);
  });
});
