import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../api/flavor.ts';
import { adviseSpec } from './specAdvice.ts';
import type { FieldPair, NumberField } from './specFields.ts';
import { fieldPairs, isSpecKey, numberFields, otherKeys } from './specFields.ts';
import type { Findings, SpecFinding } from './specFinding.ts';
import { collectFindings } from './specFinding.ts';
import { checkNames } from './specNames.ts';
import { numberProblem, usableNumber } from './specNumbers.ts';
import { shortened } from './shortened.ts';
import { checkShape } from './specShapeCheck.ts';
import { otherShapes } from './specShapes.ts';
import type { SpecMap, SpecValue } from './specValue.ts';
import { isAbsent } from './specValue.ts';

/**
 * Everything there is to say about a resource spec: errors where the interface or plain sense forbids it, advice
 * where a value is unusual or the flavor says that it is ignored. At most 100 findings.
 */
export function checkSpec(spec: SpecMap, flavor: FlavorName): readonly SpecFinding[] {
  const findings = collectFindings();
  for (const key of Object.keys(spec)) if (!isSpecKey(key)) findings.error([key], unknownKey(key), 'key');
  for (const field of numberFields) checkNumber(field, spec[field.key], findings);
  for (const pair of fieldPairs) checkPair(pair, spec, findings);
  for (const key of otherKeys) checkShape(spec[key], otherShapes[key], [key], findings);
  checkNames(spec, findings);
  adviseSpec(spec, flavor, findings);
  return findings.all;
}

function checkNumber(field: NumberField, value: SpecValue | undefined, findings: Findings): void {
  if (isAbsent(value)) return;
  const problem = numberProblem(field, value);
  if (problem !== undefined) findings.error([field.key], problem);
}

function checkPair({ lower, upper }: FieldPair, spec: SpecMap, findings: Findings): void {
  const least = usableNumber(lower, spec[lower.key]);
  const most = usableNumber(upper, spec[upper.key]);
  if (least === undefined || most === undefined || least <= most) return;
  const message =
    lower.role === 'minScale'
      ? l10n.t('The maximum ({0}) is below the minimum ({1}).', most, least)
      : l10n.t('The limit ({0}) is below the request ({1}).', most, least);
  findings.error([upper.key], message);
}

function unknownKey(key: string): string {
  const snake = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (isSpecKey(snake)) return l10n.t('"{0}" is not a field of a resource spec. Did you mean "{1}"?', key, snake);
  return l10n.t('"{0}" is not a field of a resource spec.', shortened(key));
}
