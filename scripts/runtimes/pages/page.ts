/** A page that uses the browser entry: the test calls `visit`. */

import { BrowserError, loadGateway } from 'payments-client/browser';
import type { VisitInput, VisitResult } from './visit.ts';

const order = {
  amount: '24.00',
  currency: 'USD',
  billingAddress: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address1: '1 Tea Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    country: 'US',
  },
};

/** Loads the gateway with each key, and authenticates a card. */
export async function visit({ baseUrl, publicKey, secretKey, token }: VisitInput): Promise<VisitResult> {
  const load = (apiKey: string) => loadGateway({ baseUrl, apiKey, environment: 'sandbox' });
  const refused = await load(secretKey).catch((reason: unknown) => reason);
  const gateway = await load(publicKey);
  const session = await gateway.risk.collectDeviceData();
  gateway.threeDSecure.configure(order);
  const { authenticated } = await gateway.threeDSecure.authenticate(token);
  return {
    refused: refused instanceof BrowserError ? refused.code : String(refused),
    hasSession: session !== '',
    authenticated,
  };
}

Object.assign(globalThis, { visit });
