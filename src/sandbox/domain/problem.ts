/** A refusal: what the service answers when it does not do what it was asked. */
export class Problem extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** A short machine-readable code. */
  readonly code: string;
  /** The parameter at fault, for example `line_items[0].amount`. */
  readonly param: string | undefined;
  /** What else the error says. */
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

/** A parameter is missing or wrong. */
export function invalidParameter(param: string, message: string): Problem {
  return new Problem(400, 'INVALID_PARAMETER', message, param);
}

/** The path names an object that does not exist. */
export function objectNotFound(type: string, id: string): Problem {
  return new Problem(404, 'OBJECT_NOT_FOUND', `There is no ${type} '${id}'.`, 'id');
}

/** A parameter names an object that does not exist. */
export function unknownReference(type: string, id: string, param: string): Problem {
  return new Problem(422, 'OBJECT_NOT_FOUND', `There is no ${type} '${id}'.`, param);
}
