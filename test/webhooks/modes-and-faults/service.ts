/** The service: it delivers each event again until it gets a 2xx, each time to another machine. */

import { setTimeout as wait } from 'node:timers/promises';
import { Webhooks } from 'payments-client/webhooks';
import { eventOf, secret } from '../../support/deliveries.ts';
import type { Machine } from './machines.ts';

const webhooks = new Webhooks({ secret });
/** How many deliveries are on their way at once. */
export const inFlight = 16;
/** How long the service waits for a response, in ms: less than a lease. */
const patience = 1000;
const backOff = 25;
const maxRepeats = 50_000;

/** Delivers once. Returns whether the response was a 2xx. */
async function deliver(url: string, id: string): Promise<boolean> {
  const body = JSON.stringify(eventOf('refund.failed', { id }));
  const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body)) };
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(patience),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Delivers all events, and returns how many deliveries it repeated. */
export async function deliverAll(ids: readonly string[], machines: readonly Machine[]): Promise<number> {
  const queue = ids.map((id, index) => ({ id, next: index }));
  let repeats = 0;
  const lane = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const url = machines[one.next % machines.length]?.url;
      if (url !== undefined && (await deliver(url, one.id))) continue;
      repeats += 1;
      if (repeats > maxRepeats) throw new Error(`expected each event to be taken, but ${one.id} was not.`);
      queue.unshift({ id: one.id, next: one.next + 1 });
      await wait(backOff);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return repeats;
}
