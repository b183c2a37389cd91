import { type DefaultBodyType, http, type StrictRequest } from 'msw';
import { setupServer } from 'msw/node';
import { ApiError, PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { failureOf } from './failure.ts';
import { intentParams } from './fixtures.ts';

export const baseUrl = 'https://payments.test';
export const secretKey = 'sk_v1_test_unit0001';
const securityKey = 'security-key-unit-0001';

/** A request to the mocked service. */
export interface Arrival {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = Response | ((arrival: Arrival) => Response | Promise<Response>);

/** A service with scripted responses, one per request, which records requests. After the script, the last response repeats. */
export function useMockService() {
  let script: readonly Answer[] = [];
  let arrivals: Arrival[] = [];

  async function answer(request: StrictRequest<DefaultBodyType>): Promise<Response> {
    const arrival = {
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: await request.text(),
    };
    arrivals.push(arrival);
    const next = script[Math.min(arrivals.length, script.length) - 1];
    if (next === undefined) throw new Error('The mocked service has no answer.');
    return typeof next === 'function' ? next(arrival) : next.clone();
  }

  const server = setupServer(http.all(`${baseUrl}/*`, ({ request }) => answer(request)));
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterEach(() => {
    script = [];
    arrivals = [];
  });
  afterAll(() => server.close());

  return {
    /** Sets the responses. */
    answers: (...answers: readonly Answer[]) => {
      script = answers;
    },
    /** Returns the error of a call that moves money and gets this response. */
    refuse: (answer: Response): Promise<ApiError> => {
      script = [answer];
      const call = createClient().paymentIntents.create(intentParams, {
        operationId: 'order-1',
        maxRetries: 0,
      });
      return failureOf(call, ApiError);
    },
    get arrivals(): readonly Arrival[] {
      return arrivals;
    },
  };
}

/** Creates a client of the mocked service. */
export function createClient(options: PaymentsClientOptions = {}): PaymentsClient {
  return new PaymentsClient({ baseUrl, secretKey, securityKey, ...options });
}

/** Creates a client whose every request gets the same response. */
export function answered(body: unknown, options: PaymentsClientOptions = {}): PaymentsClient {
  return createClient({ fetch: async () => Response.json(body), maxRetries: 0, ...options });
}

/** Removes all back-off by drawing its jitter as zero. */
export function skipBackOff(): void {
  vi.spyOn(Math, 'random').mockReturnValue(0);
}

export const json = (body: unknown, init?: ResponseInit): Response => Response.json(body, init);
export const text = (body: string, init?: ResponseInit): Response => new Response(body, init);
