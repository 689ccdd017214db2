/** A rejected field in a 422 answer. Never includes the rejected value, which may be a secret. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export type ProblemStatus = 400 | 401 | 404 | 405 | 409 | 413 | 415 | 421 | 422 | 500 | 507;

/** An error answer: `{"detail": …}` with a sentence or a list of rejected fields. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: ProblemStatus;
  readonly detail: string | readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ProblemStatus,
    detail: string | readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === 'string' ? detail : 'The request has invalid fields.');
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

/** Creates a 400 for a well-formed request that can't be fulfilled; the sentence starts with the field. */
export function badRequest(field: string, sentence: string): HttpProblem {
  return new HttpProblem(400, `'${field}' ${sentence}`);
}

/** Creates a 422 for one field of the wrong shape. */
export function invalidField(loc: readonly (string | number)[], msg: string): HttpProblem {
  return new HttpProblem(422, [{ loc, msg, type: 'value_error' }]);
}

export function notFound(what: string): HttpProblem {
  return new HttpProblem(404, `${what} not found.`);
}
