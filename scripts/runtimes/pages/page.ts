/** A page that loads the gateway with each key, and authenticates a card. The secret key must be refused. */

import { BrowserError, loadGateway } from 'payments-client/browser';

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

interface Input {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** The token of a card that authenticates immediately. */
  readonly token: string;
}

async function visit({ baseUrl, publicKey, secretKey, token }: Input): Promise<string> {
  const load = (apiKey: string) => loadGateway({ baseUrl, apiKey, environment: 'sandbox' });
  const refused: unknown = await load(secretKey).catch((reason: unknown) => reason);
  const gateway = await load(publicKey);
  const session = await gateway.risk.collectDeviceData();
  gateway.threeDSecure.configure(order);
  const { authenticated } = await gateway.threeDSecure.authenticate(token);
  const code = refused instanceof BrowserError ? refused.code : String(refused);
  return `refused: ${code}, session: ${session !== ''}, authenticated: ${authenticated}`;
}

Object.assign(globalThis, { visit });
