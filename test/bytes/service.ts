/** A service, or what stands before it, that answers every request with given bytes; and how calls end. */

import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';

/** A response. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export const secretKey = 'sk_v1_test_bytes0001';
export const securityKey = 'security-key-bytes-0001';

/** Control characters, which could forge a line of a log. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Creates a service. Its clients reach it without a network: the suites over sockets attack the transports. */
export function scriptedService() {
  let answer: (query: URLSearchParams) => Reply = () => ({ status: 500, body: '' });
  let requests = 0;
  const fetch = async ({ url }: Request) => {
    requests += 1;
    const { status = 200, headers = {}, body } = answer(new URL(url).searchParams);
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
  };
  const keys = { baseUrl: 'https://payments.test', secretKey, securityKey };
  return {
    /** Sets the responses from now on. */
    answers: (next: typeof answer) => {
      answer = next;
      requests = 0;
    },
    /** How many requests arrived since the responses were set. */
    requests: () => requests,
    client: (options: PaymentsClientOptions = {}) =>
      new PaymentsClient({ ...keys, fetch, maxRetries: 0, ...options }),
  };
}

let operations = 0;

/** A new operation for each call: an earlier one of the same id would change the outcome. */
export function newOperation() {
  operations += 1;
  return { operationId: `order-${operations}` };
}

/** The result or the error of a call. */
type Ending = { readonly value: unknown } | { readonly error: unknown };

export function endingOf(call: PromiseLike<unknown>): Promise<Ending> {
  return Promise.resolve(call).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Returns the value of a JSON text; `undefined` for any other text, and for bytes that are not UTF-8. */
export function parsed(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text),
    );
  } catch {
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
