import { VelocityGuard } from 'payments-client/fraud';
import { attemptAt, rules } from '../attempts.ts';
import type { Connect } from '../contender.ts';
import { openStore } from '../stores.ts';

let count = 0;

export const connect: Connect = async (_url, place) => {
  if (place === undefined) throw new Error('expected the place of a store, got none.');
  const { store } = await openStore(place);
  const guard = new VelocityGuard({ secret: 'a secret of the benchmark', rules, store });
  return {
    create: () => {
      count += 1;
      return guard.check(attemptAt(count));
    },
  };
};
