import { errorCode, messageOf } from '../../base/functions.ts';
import type { Redactor } from '../../base/redact.ts';

/** A transport's failure, reduced to what is safe to show. */
export interface NetworkFailure {
  /** The runtime's code, `NETWORK` where it gives none, or `FETCH_THREW` where it is no network failure at all. */
  readonly code: string;
  /** Whether the request provably never left, so that a retry cannot act twice. */
  readonly neverLeft: boolean;
  /** A copy that holds nothing but name, message and code: the original may hold the request with its headers. */
  readonly cause: Error | undefined;
}

/** A network failure, as a transport reports it. */
export class TransportError extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super('the network failed');
    this.cause = cause;
  }
}

/** System calls that come before the first byte of a request is sent. */
const callsBeforeSending = /* @__PURE__ */ new Set(['connect', 'getaddrinfo']);

/** Codes of failures before the first byte is sent: in connecting, in the handshake, or of an invalid request. */
const codesBeforeSending = /* @__PURE__ */ new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_PROXY_TUNNEL',
]);

/** Codes of connections that break at any time, and of invalid responses. Those in mixed case are Bun's. */
const networkCode =
  /^(?:E[A-Z_]{3,}|UND_ERR_\w+|Connection\w+|FailedToOpenSocket|HPE_\w+|Malformed_HTTP_Response|Invalid(?:HTTPResponse|ContentLength)|ZlibError|BrotliDecompressionError)$/;
/** Codes of programming errors, which look like network codes. */
const programmingCode = /^ERR_/;

const maxDepth = 5;

/** Whether workerd marked the error as a network failure. It throws plain errors. */
function isMarked(error: unknown): boolean {
  return error instanceof Error && ['remote', 'retryable'].some((mark) => Reflect.get(error, mark) === true);
}

/** Returns the error and its causes, nearest first; bounded, since causes may form a circle. */
function chain(error: unknown, depth = maxDepth): Error[] {
  if (!(error instanceof Error) || depth === 0) return [];
  const others = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...others].flatMap((cause) => chain(cause, depth - 1))];
}

function isNetworkCode(code: string): boolean {
  return codesBeforeSending.has(code) || (networkCode.test(code) && !programmingCode.test(code));
}

/**
 * Whether a failure can only come before a request is sent. The code of a system call is no proof: Linux reports an unreachable
 * host on an established connection too, by the same code and another call.
 */
function precedesSending(error: Error, code: string): boolean {
  const call: unknown = Reflect.get(error, 'syscall');
  return codesBeforeSending.has(code) || (typeof call === 'string' && callsBeforeSending.has(call));
}

function safeCopy(error: Error, code: string | undefined, redactor: Redactor): Error {
  const copy = new Error(redactor.text(messageOf(error)));
  copy.name = redactor.code(String(error.name)) ?? 'Error';
  // The copy's own stack would point here.
  delete copy.stack;
  return code === undefined ? copy : Object.assign(copy, { code });
}

/** Returns a copy of what a function of the user threw, with nothing but name, message and code. */
export function safeCause(error: unknown, redactor: Redactor): Error {
  try {
    const code = errorCode(error);
    // A thrown text is its own message.
    const shown =
      error instanceof Error ? error : new Error(typeof error === 'string' ? error : messageOf(error));
    return safeCopy(shown, typeof code === 'string' ? redactor.code(code) : undefined, redactor);
  } catch {
    return new Error(redactor.text(messageOf(error)));
  }
}

/**
 * Classifies a transport's failure.
 *
 * @param recognised Whether the failure is known to be of the network: ky knows what the `fetch` of each runtime throws, but not what its
 * bodies throw.
 */
export function classifyFailure(error: unknown, recognised: boolean, redactor: Redactor): NetworkFailure {
  try {
    const errors = chain(error);
    const coded = errors.flatMap((one) => {
      const code = errorCode(one);
      return typeof code === 'string' && isNetworkCode(code) && redactor.code(code) ? [{ one, code }] : [];
    });
    const [first] = coded;
    // An aggregate repeats the code of its first error; each address that was tried has an error of its own.
    const tries = coded.filter(({ one }) => !(one instanceof AggregateError));
    const shown = first?.one ?? errors.at(-1);
    const isOfNetwork = recognised || error instanceof TransportError || isMarked(error);
    return {
      code: first?.code ?? (isOfNetwork ? 'NETWORK' : 'FETCH_THREW'),
      neverLeft: tries.length > 0 && tries.every(({ one, code }) => precedesSending(one, code)),
      cause: shown === undefined ? undefined : safeCopy(shown, first?.code, redactor),
    };
  } catch {
    // A value that throws on access is no error of a runtime.
    return { code: recognised ? 'NETWORK' : 'FETCH_THREW', neverLeft: false, cause: undefined };
  }
}
