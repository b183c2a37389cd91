import { copyFileSync, existsSync } from 'node:fs';
import { sqliteStore } from 'payments-client/stores';
import { onTestFinished } from 'vitest';
import { temporaryFile } from '../../support/temporary-file.ts';
import type { Drill, Drills } from './drill.ts';

const oneServer = 'it is no server, and has no replicas';

export const memoryDrills: Drills = {
  'a crash': 'it ends with its process, as the guide says',
  'a failover': oneServer,
  'a failover of what replicas have confirmed': oneServer,
  'no replica that confirms': oneServer,
  'a change of its settings': 'it has none that changes',
  'a restored backup': 'it has no backup',
  'a replica by mistake': oneServer,
};

function open(path: string) {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

/** Copies what is on the disk, as a crash leaves it and as a backup takes it. */
async function copied(path: string): Promise<string> {
  const copy = await temporaryFile();
  for (const ending of ['', '-wal'])
    if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending);
  return copy;
}

async function crash(): Promise<Drill> {
  const path = await temporaryFile();
  return { store: open(path), strike: async () => open(await copied(path)) };
}

async function restore(): Promise<Drill> {
  const path = await temporaryFile();
  let backup = '';
  const midway = async () => (backup = await copied(path));
  return { store: open(path), midway, strike: async () => open(backup) };
}

export const sqliteDrills: Drills = {
  'a crash': { promised: 'kept', open: crash },
  'a failover': oneServer,
  'a failover of what replicas have confirmed': oneServer,
  'no replica that confirms': oneServer,
  'a change of its settings': 'a connection of yours is raised to synchronous = FULL, once',
  'a restored backup': { promised: 'unnoticed', open: restore },
  'a replica by mistake': oneServer,
};
