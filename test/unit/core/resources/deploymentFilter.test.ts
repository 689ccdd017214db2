import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deploymentListQueryWire } from '../../../../src/api/resources/deployments.ts';
import { REVISION_STATUSES } from '../../../../src/api/schema/enums.ts';
import {
  describeFilter,
  describeRevisionFilter,
  filterFields,
  filterLabel,
  parseFilter,
  parseRevisionFilter,
} from '../../../../src/core/resources/deploymentFilter.ts';

describe('the filters', () => {
  it('are those of the interface', () => {
    const ofInterface = Object.keys(deploymentListQueryWire.shape).filter(
      (name) => !['limit', 'offset'].includes(name),
    );
    expect(filterFields.toSorted()).toEqual(ofInterface.toSorted());
  });

  it('have different names', () => {
    const labels = filterFields.map(filterLabel);
    expect(new Set(labels).size).toBe(filterFields.length);
    expect(labels).not.toContain('');
  });
});

describe('parseFilter', () => {
  it.for([
    ['nothing stored', undefined, {}],
    ['something that is no object', 'READY', {}],
    ['blanks around a text', { name_contains: ' agent ' }, { name_contains: 'agent' }],
    ['a text of blanks', { name_contains: '  ', status: '' }, {}],
    ['ids with any separators', { deployment_ids: ' a, b\n\tc,,' }, { deployment_ids: 'a,b,c' }],
    ['separators without ids', { tag_value_ids: ' , ' }, {}],
    ['a known type', { deployment_type: 'dev_free' }, { deployment_type: 'dev_free' }],
    ['an unknown type', { deployment_type: 'huge' }, {}],
    ['reconciled: false, which is a filter', { remote_reconciled: false }, { remote_reconciled: false }],
    ['reconciled as a text', { remote_reconciled: 'true' }, {}],
    ['numbers', { status: 7, image_version: 1 }, {}],
    ['a field that is none', { limit: 5, other: 'x', image_version: '1.2' }, { image_version: '1.2' }],
  ] as const)('reads %s', ([, stored, filter]) => {
    expect(parseFilter(stored)).toEqual(filter);
  });

  it('reads back its own result, and keeps only values that the service accepts', () => {
    const value = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null), fc.constantFrom('dev', 'prod'));
    const stored = fc.record(Object.fromEntries(filterFields.map((field) => [field, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(stored, (input) => {
        const filter = parseFilter(input);
        expect(parseFilter(JSON.parse(JSON.stringify(filter)))).toEqual(filter);
        expect(deploymentListQueryWire.safeParse(filter).success).toBe(true);
      }),
    );
  });
});

describe('describeFilter', () => {
  it.for([
    ['nothing', {}, ''],
    ['a name', { name_contains: 'agent' }, '"agent"'],
    ['one tag and one id', { tag_value_ids: 't', deployment_ids: 'a' }, '1 tag · 1 ID'],
    ['null, which equals absent', { status: null }, ''],
    ['reconciled deployments', { remote_reconciled: true }, 'reconciled'],
    [
      'every field, in one order',
      {
        remote_reconciled: false,
        deployment_ids: 'a,b,c',
        tag_value_ids: 't,u',
        image_version: '1.4',
        deployment_type: 'prod',
        status: 'READY,UNUSED',
        name_contains: 'x',
      },
      '"x" · Ready, Unused · prod · image 1.4 · 2 tags · 3 IDs · not reconciled',
    ],
  ] as const)('says %s', ([, filter, words]) => {
    expect(describeFilter(filter)).toBe(words);
  });
});

describe('the filter of revisions', () => {
  it.for([
    ['nothing stored', undefined, []],
    ['something that is no list', { status: 'DEPLOYED' }, []],
    ['statuses, in the order of the interface', { status: ['DEPLOYED', 'BUILDING'] }, ['BUILDING', 'DEPLOYED']],
    ['a status twice, and what is none', { status: ['DEPLOYED', 7, 'DREAMING', 'DEPLOYED'] }, ['DEPLOYED']],
    ['every status, which hides nothing', { status: REVISION_STATUSES }, []],
    ['the list of statuses that earlier versions stored', ['DEPLOYED'], ['DEPLOYED']],
  ] as const)('reads %s', ([, stored, status]) => {
    expect(parseRevisionFilter(stored)).toEqual({ status });
  });

  it('reads whether only reconciled revisions are shown, and nothing that is no answer to it', () => {
    expect(parseRevisionFilter({ remote_reconciled: false })).toEqual({ status: [], remote_reconciled: false });
    expect(parseRevisionFilter({ remote_reconciled: 'false' })).toEqual({ status: [] });
  });

  it.for([
    ['nothing when all are shown', { status: [] }, ''],
    ['one status in words', { status: ['BUILD_FAILED'] }, 'revisions: Build failed'],
    ['two of them', { status: ['BUILDING', 'DEPLOYED'] }, 'revisions: Building, Deployed'],
    ['how many there are of more', { status: ['BUILDING', 'DEPLOYED', 'SKIPPED'] }, 'revisions: 3 statuses'],
    ['that they are reconciled', { status: [], remote_reconciled: true }, 'revisions: reconciled'],
    ['both', { status: ['DEPLOYED'], remote_reconciled: false }, 'revisions: Deployed, not reconciled'],
  ] as const)('says %s', ([, filter, words]) => {
    expect(describeRevisionFilter(filter)).toBe(words);
  });
});
