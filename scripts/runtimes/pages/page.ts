/** A page that uses the browser entry: its driver calls `visit`. */

import { BrowserError, loadGateway } from 'payments-client/browser';
import type { Visit, Visited } from './visit.ts';

const order = {
  amount: '24.00',
  currency: 'USD',
  billingAddress: {
    ...{ firstName: 'Ada', lastName: 'Lovelace', address1: '1 Tea Street' },
    ...{ city: 'Springfield', state: 'IL', zip: '62701', country: 'US' },
  },
};

/** Called by the driver. */
export async function visit({ baseUrl, publicKey, secretKey, token }: Visit): Promise<Visited> {
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
