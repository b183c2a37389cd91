import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';

/** The two ways in which requests leave on Node: what merchants get, and a `fetch` that they may give. */
export const transports: readonly (readonly [name: string, options: PaymentsClientOptions])[] = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

/** A client that asks once and waits long: where a server answers at all, a slow machine changes nothing. */
export function clientOf(baseUrl: string, options: PaymentsClientOptions = {}): PaymentsClient {
  const keys = { secretKey: 'sk_v1_test_faults001', securityKey: 'security-key-faults' };
  return new PaymentsClient({ baseUrl, ...keys, maxRetries: 0, timeout: 30_000, ...options });
}
