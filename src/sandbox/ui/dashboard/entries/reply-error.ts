import type { RecordedRequest } from '../../../stories/entry.ts';

/** The error in a response of the service. */
export interface ReplyError {
  readonly code: string;
  readonly message: string;
  /** The wrong field; `undefined` if the error names none. */
  readonly param: string | undefined;
}

/** Returns the error of a response; `undefined` if there is none, or it has an unknown shape. */
export function errorOf({ reply }: RecordedRequest): ReplyError | undefined {
  if (reply === null || reply.status < 400 || reply.body === null) return undefined;
  try {
    const { error } = JSON.parse(reply.body);
    if (typeof error?.code !== 'string' || typeof error.message !== 'string') return undefined;
    return {
      code: error.code,
      message: error.message,
      param: typeof error.param === 'string' ? error.param : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Explanations of the idempotency errors. */
const meanings: Readonly<Record<string, string>> = {
  IDEMPOTENCY_KEY_TOO_LONG:
    'The idempotency key is longer than 255 characters. The request was not executed.',
  IDEMPOTENCY_KEY_IN_PROGRESS:
    'An earlier request with this key is still being processed. Send it again with the same key.',
  IDEMPOTENCY_BODY_MISMATCH:
    'An earlier request used this key with another body. This request was not executed: compare the two bodies.',
  IDEMPOTENCY_ROUTE_CONFLICT:
    'An earlier request used this key for another route. This request was not executed: derive the key from the operation too.',
  IDEMPOTENCY_STORE_UNAVAILABLE:
    'The service could not check the key, so it did not execute the request. Send it again with the same key.',
};

/** Returns the explanation of an error; `undefined` if its message is enough. */
export function meaningOf({ code }: ReplyError): string | undefined {
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}
