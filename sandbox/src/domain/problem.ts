/** An error response of the service. */
export class Problem extends Error {
  /** The HTTP status. */
  readonly status: number;
  readonly code: string;
  /** The invalid parameter, for example `line_items[0].amount`. */
  readonly param: string | undefined;
  readonly details: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    param?: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.param = param;
    this.details = details;
  }
}

export function invalidParameter(param: string, message: string): Problem {
  return new Problem(400, 'INVALID_PARAMETER', message, param);
}

/**
 * Creates the error for a path that names an unknown object.
 *
 * @param hint What was probably meant, in brackets. Default: none.
 */
export function objectNotFound(type: string, id: string, hint = ''): Problem {
  return new Problem(404, 'OBJECT_NOT_FOUND', `There is no ${type} '${id}'${hint}.`, 'id');
}

/** Creates the error for a parameter that names an unknown object. */
export function unknownReference(type: string, id: string, param: string): Problem {
  return new Problem(422, 'OBJECT_NOT_FOUND', `There is no ${type} '${id}'.`, param);
}
