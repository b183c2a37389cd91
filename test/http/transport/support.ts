import type { RequestListener } from 'node:http';
import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { onTestFinished } from 'vitest';
import { serve } from '../../support/serve.ts';

export const keys = { secretKey: 'sk_v1_test_transport', securityKey: 'security-key-1' };
export const operation = { operationId: 'order-1' };

export function client(baseUrl: string, options: PaymentsClientOptions = {}): PaymentsClient {
  return new PaymentsClient({ baseUrl, ...keys, ...options });
}

/** Serves until the test ends, and returns the URL. */
export async function startServer(listener: RequestListener): Promise<string> {
  const { url, close } = await serve(listener);
  onTestFinished(close);
  return url;
}
