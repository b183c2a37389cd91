/** A process that counts in a document, as others do, or dies between the save and the commit of a transaction. */

import { postgresStore, sqliteStore } from 'payments-client/stores';
import { openPool, openStore, type StoreAddress } from '../engine/processes/stores.ts';

/** What the process does. */
export interface SavingTask {
  readonly address: StoreAddress;
  /** The number of the process. */
  readonly slot: number;
  readonly key: string;
  /** How often to count; `undefined` to die instead. */
  readonly times?: number;
}

const { address, slot, key, times }: SavingTask = JSON.parse(process.argv[2] ?? '');

/** Adds one to the document, however often another process is faster. Each count has a reference and a time of its own. */
async function count(all: number): Promise<void> {
  const { store, close } = await openStore(address, slot);
  let counted = 0;
  while (counted < all) {
    const { version = 0, data = '0' } = (await store.load(key)) ?? {};
    const next = Number(data) + 1;
    const index = { references: [`${key} ${next} by ${slot}`], wakeAt: next };
    if (await store.save(key, version, String(next), index)) counted += 1;
  }
  await close();
  process.disconnect();
}

const index = { references: [`${key} died`], wakeAt: 1 };
const die = () => process.kill(process.pid, 'SIGKILL');

async function saveAndDie(): Promise<void> {
  if (address.kind === 'sqlite')
    await sqliteStore(address.path).transaction((_client, documents) => {
      documents.save(key, 0, 'never committed', index);
      die();
    });
  if (address.kind === 'postgres')
    await postgresStore(openPool(address.connection)).transaction(async (_client, documents) => {
      await documents.save(key, 0, 'never committed', index);
      die();
    });
}

await (times === undefined ? saveAndDie() : count(times));
