import { createHmac } from 'node:crypto';
import { attemptAt } from '../attempts.ts';
import type { Connect } from '../contender.ts';
import { openStore } from '../stores.ts';

/** No merchant may keep card numbers in clear, so a key is a keyed hash here too. */
const hash = (text: string) => createHmac('sha256', 'a secret of the benchmark').update(text).digest('hex');

let count = 0;

/** Two counters of a store, which only ever grow: what any check of two limits must take, at the least. */
export const connect: Connect = async (_url, place) => {
  if (place === undefined) throw new Error('expected the place of a store, got none.');
  const { count: add } = await openStore(place);
  return {
    create: async () => {
      count += 1;
      const { card, ip } = attemptAt(count);
      return add(`card:${hash(card.token)}`, `ip:${hash(ip)}`);
    },
  };
};
