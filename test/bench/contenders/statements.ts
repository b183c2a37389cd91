import type { Connect } from '../contender.ts';
import { openStore } from '../stores.ts';
import { contenderOf } from './payments-client.ts';

/** As long as what a journal keeps of a payment before it is sent, and after. */
const [before, after] = ['x'.repeat(370), 'x'.repeat(900)];

let count = 0;

/** A payment between two bare statements of a store: what any journal must take, at the least. */
export const connect: Connect = async (baseUrl, place) => {
  if (place === undefined) throw new Error('expected the place of a store, got none.');
  const { write } = await openStore(place);
  const { create } = contenderOf(baseUrl);
  return {
    create: async () => {
      count += 1;
      const key = `order-${process.pid}-${count}`;
      await write(key, before);
      await create();
      await write(key, after);
    },
  };
};
