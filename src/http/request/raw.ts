import { snapshot } from '../../base/json.ts';
import { ApiPromise } from '../api-promise.ts';
import { type CallOptions, callOptionsSchema } from '../client/options.ts';
import { type Api, execute } from '../execute.ts';
import { returnedBody } from '../response.ts';
import { copyOptions } from './arguments.ts';
import { type AnyRequest, isRead, type QueryValue, rawEncoding } from './raw-encoding.ts';
import { isHttpMethod } from './route.ts';

interface RawTarget<T> {
  /** The path after the base URL, such as `/v1/payouts`, each segment already percent-encoded. */
  readonly path: string;
  /** Query parameters; one that is `undefined` is omitted. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /**
   * Converts the parsed JSON body (`undefined` for an empty one) to the result. An error that it throws becomes a
   * `ResponseValidationError`. Default: the body unchanged.
   */
  readonly parse?: ((body: unknown) => T) | undefined;
}

/** A request that reads or deletes. */
export interface RawReadRequest<T> extends RawTarget<T> {
  /** The HTTP verb. */
  readonly method: 'GET' | 'DELETE';
  /** Must be absent: a request with these verbs has no body. */
  readonly body?: undefined;
  /** Must be absent or false. */
  readonly movesMoney?: false | undefined;
}

/** A request that writes. */
export interface RawWriteRequest<T> extends RawTarget<T> {
  /** The HTTP verb. Only a POST with an idempotency key is retried after the request may have been sent. */
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** Whether it may move money. If so, it needs an `operationId` or an `idempotencyKey`. Default: true. */
  readonly movesMoney?: boolean | undefined;
}

/** A request that you describe in full. */
export type RawRequest<T> = RawReadRequest<T> | RawWriteRequest<T>;

/** A name for messages and keys; one with line breaks could forge a log line. */
function nameOf(method: string | undefined, path: unknown): string {
  return isHttpMethod(method) && typeof path === 'string' && /^[!-~]*$/.test(path)
    ? `${method} ${path}`
    : 'request';
}

/** Sends a request that the user describes in full. */
export function sendRaw(
  api: Api,
  given: RawRequest<unknown>,
  options: CallOptions | undefined,
): ApiPromise<unknown> {
  const params = snapshot(given, { uncopied: ['parse'] });
  // A body that cannot be copied is refused, as that of the call that was meant.
  const described = 'value' in params ? params : snapshot(given, { uncopied: ['parse', 'query', 'body'] });
  const { method, path, movesMoney, parse }: Partial<AnyRequest> = Object(
    'value' in described ? described.value : {},
  );
  const keyedAs = nameOf(method, path);
  return new ApiPromise(
    execute(api.connection, {
      operation: api.connection.redactor.text(keyedAs),
      keyedAs,
      movesMoney: isHttpMethod(method) && !isRead(method) && movesMoney !== false,
      // A wrong method is refused before it is used.
      route: { method: isHttpMethod(method) ? method : 'GET', path: undefined, source: 'configured' },
      params,
      encoding: rawEncoding,
      options: copyOptions(options),
      optionsSchema: callOptionsSchema,
      secret: { keyOption: 'secretKey', value: api.secretKey },
      returns: returnedBody(parse),
    }),
  );
}
