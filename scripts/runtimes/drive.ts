/** The HTTP checks of a shop in any framework. */

import type { Sandbox } from 'payments-client/sandbox';
import { type Delivery, keepDeliveries, type Seen } from './programs/service.ts';

async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number, unknown]> {
  const reply = await fetch(url, { method: 'POST', body, headers });
  const text = await reply.text();
  try {
    return [reply.status, JSON.parse(text)];
  } catch {
    throw new Error(`${url} answered ${reply.status}: ${text.slice(0, 500)}`);
  }
}

/** Returns the receiver's responses to a delivery, its repetition, and a forged delivery. */
async function deliver(url: string, { body, headers }: Delivery): Promise<readonly unknown[]> {
  const bodies = [body, body, `${body} `];
  const replies: unknown[] = [];
  for (const one of bodies) replies.push(await post(url, one, headers));
  return replies;
}

/** Pays an order twice, then delivers the event of its payment. */
export async function drive(sandbox: Sandbox, url: string): Promise<Seen> {
  const deliveries = keepDeliveries(sandbox, 'payment_intent.succeeded');
  const order = 'order-1042';
  const pay = () => post(`${url}/pay`, JSON.stringify({ order }), { 'content-type': 'application/json' });
  const first = await pay();
  const second = await pay();
  await sandbox.settled();
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error(`Nothing was paid: ${JSON.stringify(first)}`);
  return {
    statuses: [first[0], second[0]],
    isSamePayment: JSON.stringify(first[1]) === JSON.stringify(second[1]),
    payment: Object(first[1]).status,
    charges: sandbox.events.filter(({ type }) => type === 'payment_intent.succeeded').length,
    deliveries: await deliver(`${url}/webhooks`, delivery),
  };
}

/** The expected result of `drive`. */
export const wantedOfShop: Seen = {
  statuses: [200, 200],
  isSamePayment: true,
  payment: 'succeeded',
  charges: 1,
  deliveries: [
    [200, { outcome: 'handled' }],
    [200, { outcome: 'duplicate' }],
    [400, { outcome: 'refused', reason: 'no_match' }],
  ],
};
