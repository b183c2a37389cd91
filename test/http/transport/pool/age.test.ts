/** The age of a kept connection: an old one is closed, so that calls follow the name service and load balancers. */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { refund } from '../../../support/fixtures.ts';
import { client, startServer } from '../support.ts';

const start = 1_000_000;

/** Sets the monotonic clock alone. */
function setClock(now: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(now);
}

async function startSocketServer() {
  const sockets: Socket[] = [];
  const url = await startServer((request, response) => {
    sockets.push(request.socket);
    response.end(JSON.stringify(refund));
  });
  return { url, sockets };
}

it.each([
  [300_000, 1],
  [300_001, 2],
])('a connection that is %i ms old carries no further request after this one: %i', async (age, count) => {
  setClock(start);
  const { url, sockets } = await startSocketServer();
  const { refunds } = client(url);
  await refunds.retrieve('rf_1');
  setClock(start + age);
  await refunds.retrieve('rf_1');
  const [first, second] = sockets;
  expect(second).toBe(first);
  if (count === 2 && first?.closed === false) await once(first, 'close');
  await refunds.retrieve('rf_1');
  expect(new Set(sockets).size).toBe(count);
  expect(sockets[2] === first).toBe(count === 1);
});

it('its age counts from its beginning, however often it is used', async () => {
  const { url, sockets } = await startSocketServer();
  const { refunds } = client(url);
  for (let minutes = 0; minutes <= 12; minutes += 1) {
    setClock(start + minutes * 60_000);
    await refunds.retrieve('rf_1');
  }
  const used = [...new Set(sockets)].map((socket) => sockets.filter((one) => one === socket).length);
  // Each carries the requests of five minutes, and the one that finds it too old.
  expect(used).toEqual([7, 6]);
});
