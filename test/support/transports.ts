import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';

/** The two transports on Node: the default, and a `fetch` option. */
export const transports: readonly (readonly [name: string, options: PaymentsClientOptions])[] = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

/** Creates a client without retries and with a long timeout: a slow machine changes nothing. */
export function clientOf(baseUrl: string, options: PaymentsClientOptions = {}): PaymentsClient {
  const keys = { secretKey: 'sk_v1_test_faults001', securityKey: 'security-key-faults' };
  return new PaymentsClient({ baseUrl, ...keys, maxRetries: 0, timeout: 30_000, ...options });
}
