/** A thousand restarts of a shop that is at work, with connections that are cut: what the guide says to do on SIGTERM loses and doubles nothing. */

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { listOpen } from '../journal/shop.ts';
import { Draws } from '../orders/world/draws.ts';
import { Shop, type Stop } from './rolling-shop.ts';

/** As the guide says. */
const gracefully: Stop = async ({ server, receiver, payments }) => {
  server.close();
  await Promise.race([once(server, 'close'), wait(10_000, null, { ref: false })]);
  await receiver.drain();
  await payments.close();
};

/** Cuts off what is under way. A handler that runs on keeps its lease, and may have had its effect. */
const atOnce: Stop = async ({ server, receiver, payments }) => {
  server.close();
  await receiver.drain({ timeout: 0 });
  await payments.close({ timeout: 0 });
};

/** The connections are counted, and not the work. */
const byConnections: Stop = async ({ server }) => {
  const closed = once(server, 'close');
  server.close();
  await closed;
};

/** Restarts a shop while it works. Returns what was lost or doubled. */
async function restart(count: number, stop: Stop): Promise<readonly string[]> {
  const shop = new Shop(new Draws(65));
  const { draws } = shop;
  const faults: string[] = [];
  for (let round = 0; round < count; round += 1) {
    const process = await shop.start();
    const names = [0, 1, 2].map((index) => `${round}-${index}`);
    const hangsUp = () => (draws.chance(0.5) ? draws.below(12) : undefined);
    const asked = names.flatMap((name) => [
      process.ask(`/sale/${name}`, '', {}, hangsUp()),
      process.ask(`/intent/${name}`, '', {}, hangsUp()),
      process.deliver(`evt_${name}`, hangsUp()),
    ]);
    for (let turn = draws.below(40); turn > 0; turn -= 1) await new Promise(setImmediate);
    await stop(process);
    process.end();
    await Promise.all(asked);

    const next = await shop.start();
    const left = await listOpen(next.payments);
    faults.push(...left.map(({ operation, state }) => `${operation} is ${state}`));
    // What was left behind is claimed until its lease ends.
    shop.now += 60_000;
    for (const name of names) {
      await next.deliver(`evt_${name}`);
      if (shop.effects.get(`evt_${name}`) !== 1)
        faults.push(`evt_${name} had ${shop.effects.get(`evt_${name}`)} effects`);
      if (shop.salesOf(name) > 1) faults.push(`order ${name} was charged twice`);
    }
    await gracefully(next);
    next.end();
  }
  return faults;
}

it('loses and doubles nothing', { timeout: 120_000 }, async () => {
  expect(await restart(1000, gracefully)).toEqual([]);
});

it('leaves nothing running and charges nobody twice, if it cuts off what is under way', {
  timeout: 120_000,
}, async () => {
  const faults = await restart(300, atOnce);
  expect(faults).toContainEqual('transact.sale is unknown');
  expect(faults.filter((fault) => /running|twice/.test(fault))).toEqual([]);
});

it('would, if only connections were counted', { timeout: 120_000 }, async () => {
  const faults = await restart(100, byConnections);
  expect(faults).toContainEqual(expect.stringMatching(/had 2 effects/));
  expect(faults).toContainEqual('transact.sale is running');
});
