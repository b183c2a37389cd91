import type { Connect } from '../contender.ts';
import { openStore } from '../stores.ts';
import { contenderOf } from './payments-client.ts';

export const connect: Connect = async (baseUrl, place) => {
  if (place === undefined) throw new Error('expected the place of a store, got none.');
  const { store } = await openStore(place);
  return contenderOf(baseUrl, store);
};
