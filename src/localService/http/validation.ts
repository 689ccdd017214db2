import * as z from 'zod';
import { HttpProblem } from './problem.ts';
import type { FieldProblem } from './problem.ts';

export type Place = 'body' | 'path' | 'query';

const maxProblems = 50;
const maxSegmentLength = 100;

/**
 * Parses a part of a request with its schema.
 * @throws {HttpProblem} 422 with the place and the reason of each refused field, and never with a value
 */
export function parsePart<Schema extends z.ZodType>(schema: Schema, value: unknown, place: Place): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new HttpProblem(
    422,
    result.error.issues.slice(0, maxProblems).map((issue) => toFieldProblem(issue, place)),
  );
}

/**
 * Reads the parameters that a schema names from a query; others are ignored, an empty one counts as not given.
 * @throws {HttpProblem} 422 for a parameter that comes twice or has the wrong shape
 */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const given = Object.entries(schema.shape).flatMap(([name, field]) => {
    const texts = query.getAll(name).filter((text) => text !== '');
    if (texts.length > 1)
      throw new HttpProblem(422, [problem(['query', name], 'is given more than once', 'value_error')]);
    const [text] = texts;
    return text === undefined ? [] : [[name, typedValue(field, text)] as const];
  });
  return parsePart(schema, Object.fromEntries(given), 'query');
}

/** A text that does not stand for a value of the field's type stays a text, which the schema then refuses. */
function typedValue(field: z.core.$ZodType, text: string): string | number | boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return typedValue(field.unwrap(), text);
  if (field instanceof z.ZodNumber && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function toFieldProblem(issue: z.core.$ZodIssue, place: Place): FieldProblem {
  const path = issue.path.map((segment) =>
    typeof segment === 'number' ? segment : String(segment).slice(0, maxSegmentLength),
  );
  return problem([place, ...path], wordsOf(issue), isMissing(issue) ? 'missing' : issue.code);
}

function problem(loc: readonly (string | number)[], msg: string, type: string): FieldProblem {
  return { loc, msg, type };
}

/** The schemas' own words where they have some; the library's words are replaced, so that they cannot say too much. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (isMissing(issue)) return 'is required';
  if (!/^(?:Invalid|Unrecognized|Too)\b/.test(issue.message)) return issue.message;
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : 'is not valid';
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}
