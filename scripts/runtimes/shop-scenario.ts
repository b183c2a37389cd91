/** The scenario that every framework's shop runs, over HTTP. */

import type { Sandbox } from 'payments-client/sandbox';
import { type Delivery, type Observations, recordDeliveries } from './programs/service.ts';

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
    throw new Error(`${url}: expected JSON, got ${reply.status} ${text.slice(0, 500)}`);
  }
}

/** Returns the receiver's responses to a delivery, a duplicate, and a forgery. */
async function deliver(url: string, { body, headers }: Delivery): Promise<readonly unknown[]> {
  const bodies = [body, body, `${body} `];
  const replies: unknown[] = [];
  for (const sent of bodies) replies.push(await post(url, sent, headers));
  return replies;
}

/** Pays an order twice, then delivers the event of its payment. */
export async function runShopScenario(sandbox: Sandbox, url: string): Promise<Observations> {
  const deliveries = recordDeliveries(sandbox, 'payment_intent.succeeded');
  const order = 'order-1042';
  const pay = () => post(`${url}/pay`, JSON.stringify({ order }), { 'content-type': 'application/json' });
  const first = await pay();
  const second = await pay();
  await sandbox.settled();
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error(`Expected a payment, got ${JSON.stringify(first)}.`);
  return {
    statuses: [first[0], second[0]],
    isSamePayment: JSON.stringify(first[1]) === JSON.stringify(second[1]),
    payment: Object(first[1]).status,
    charges: sandbox.events.filter(({ type }) => type === 'payment_intent.succeeded').length,
    deliveries: await deliver(`${url}/webhooks`, delivery),
  };
}

export const expectedOfShop: Observations = {
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
