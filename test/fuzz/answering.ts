/** A loopback service that responds to every request with given bytes. */

import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, serve } from '../support/serve.ts';

/** A response on the wire. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export const secretKey = 'sk_v1_test_fuzz0001';

/** A control character that could forge a log line. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Starts a service with configurable responses, for all tests of a file. */
export function useScriptedService() {
  let server: RunningServer | undefined;
  let answer: (query: URLSearchParams) => Reply = () => ({ status: 500, body: '' });
  let requests = 0;

  beforeAll(async () => {
    server = await serve((request, response) => {
      requests += 1;
      request.resume();
      const {
        status = 200,
        headers = {},
        body,
      } = answer(new URL(request.url ?? '/', 'http://localhost').searchParams);
      response.writeHead(status, headers).end(body);
    });
  });
  afterAll(() => server?.close());

  return {
    /** Sets the responses from now on. */
    answers: (next: (query: URLSearchParams) => Reply) => {
      answer = next;
      requests = 0;
    },
    /** How many requests arrived since the responses were set. */
    get requests() {
      return requests;
    },
    client: (options: PaymentsClientOptions = {}) =>
      new PaymentsClient({ baseUrl: server?.url, secretKey, maxRetries: 0, ...options }),
  };
}

/** The result or the error of a call. */
export type Ending = { readonly value: unknown } | { readonly error: unknown };

export async function endingOf(call: PromiseLike<unknown>): Promise<Ending> {
  return Promise.resolve(call).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
