import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { skipBackOff } from '../support/mock-service.ts';
import { startTelemetry } from '../support/telemetry.ts';

export const by = { operationId: 'order-1' };

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** A client with traced calls, without retries, of a service with scripted responses, of which the last repeats. */
export function startClient(answers: readonly Answer[], options: PaymentsClientOptions = {}) {
  skipBackOff();
  let requests = 0;
  const telemetry = startTelemetry();
  const payments = new PaymentsClient({
    baseUrl: 'https://payments.test/pay',
    secretKey: 'sk_v1_test_telemetry1',
    securityKey: 'security-key-telemetry',
    hooks: telemetry.hooks,
    maxRetries: 0,
    fetch: async () => {
      const [status, body, headers] = answers[Math.min(requests, answers.length - 1)] ?? [500, {}];
      requests += 1;
      const init = { status, ...(headers && { headers }) };
      return typeof body === 'string' ? new Response(body, init) : Response.json(body, init);
    },
    ...options,
  });
  return { ...telemetry, payments };
}
