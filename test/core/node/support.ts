import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { onTestFinished } from 'vitest';
import { serve } from '../../support/serve.ts';

export const keys = { secretKey: 'sk_v1_test_transport', securityKey: 'security-key-1' };
export const by = { operationId: 'order-1' };

export function client(baseUrl: string, options: PaymentsClientOptions = {}): PaymentsClient {
  return new PaymentsClient({ baseUrl, ...keys, ...options });
}

/** Serves until the test ends, and gives the address. */
export async function serving(listener: RequestListener): Promise<string> {
  const { url, close } = await serve(listener);
  onTestFinished(close);
  return url;
}

/** Lets a server of any kind listen until the test ends, and gives its port. */
export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
