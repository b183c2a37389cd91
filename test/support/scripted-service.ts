import type { PaymentsClient, PaymentsClientOptions } from 'payments-client';
import { afterEach } from 'vitest';
import { type Arrival, createClient } from './mock-service.ts';

type Answer = Response | ((arrival: Arrival) => Response | Promise<Response>);

/** As {@link useMockService}, by the option `fetch`: it costs a tenth, for tests that are not about the transport. */
export function useScriptedService() {
  let script: readonly Answer[] = [];
  const arrivals: Arrival[] = [];
  afterEach(() => {
    script = [];
    arrivals.length = 0;
  });

  async function fetch(request: Request): Promise<Response> {
    const { method, headers, url } = request;
    const arrival = { method, url: new URL(url), headers, body: await request.text() };
    arrivals.push(arrival);
    const next = script[Math.min(arrivals.length, script.length) - 1];
    if (next === undefined) throw new Error('The scripted service has no answer.');
    return typeof next === 'function' ? next(arrival) : next.clone();
  }

  return {
    arrivals,
    /** Sets the responses, one per request; the last one repeats. */
    answers: (...answers: readonly Answer[]) => {
      script = answers;
    },
    /** Creates a client of this service. */
    createClient: (options: PaymentsClientOptions = {}): PaymentsClient =>
      createClient({ fetch, maxRetries: 0, ...options }),
  };
}
