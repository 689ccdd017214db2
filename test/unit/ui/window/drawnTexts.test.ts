import { describe, expect, it } from 'vitest';
import { followLine } from '../../../../src/core/status/followWords.ts';
import { revisionTitle } from '../../../../src/core/status/rowWords.ts';
import { deploymentStatusView, revisionStatusView } from '../../../../src/core/status/status.ts';
import { verdict } from '../../../../src/core/status/verdict.ts';
import { shortened, withoutIcons, withoutLinks, wrapLines } from '../../../../src/core/text/text.ts';

const long = 'word '.repeat(200_000);

describe('a very long text from a service', () => {
  it.each([
    ['a row of a quick pick', withoutIcons(long), 400],
    ['a message', withoutLinks(long), 2_100],
    ['the lines of a finding', wrapLines(long, 78).join(' '), 5_100],
    ['the status of a revision', revisionStatusView(long).label, 100],
    ['the status of a deployment', deploymentStatusView(long).label, 100],
    ['the title of a revision', revisionTitle({ id: '1', source_revision_config: { repo_ref: long } }), 300],
    [
      'a followed deployment',
      followLine({
        name: long,
        connection: 'Work',
        verdict: verdict({ revisionId: '1' }),
        inPhase: 0,
        failures: 0,
      }),
      200,
    ],
  ])('is truncated in %s', (_place, drawn, most) => {
    expect(drawn).toContain('word word');
    expect(drawn).toContain('…');
    expect(drawn.length).toBeLessThan(most);
  });

  it("isn't truncated if it fits", () => {
    expect([shortened('abc', 3), shortened('abcd', 3)]).toEqual(['abc', 'abc…']);
  });
});
