/** Random histories of shops with the stores that processes share: a SQLite file with connections of their own, and PostgreSQL. */

import { expect, it } from 'vitest';
import { hasPostgres, startPostgresServer } from '../support/postgres-server.ts';
import { bySize } from '../support/size.ts';
import { skipWithout } from '../support/skip.ts';
import { describeHistory, runCampaign } from './world/campaign.ts';
import { InPostgres } from './world/in-postgres.ts';

/** Each night begins elsewhere. */
const from = bySize({ short: 1, all: Math.floor(Date.now() / 1000) });
const isWithoutPostgres = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/orders/world.services.test.ts',
).isSkipped;

it.each(['memory', 'sqlite', 'sqlite file'] as const)('survives many histories with %s', async (store) => {
  const seeds = bySize({ short: 60, all: 1500, long: 20_000 });
  const { violated } = await runCampaign({ store, from, seeds });
  expect(violated.map(describeHistory).join('\n')).toBe('');
});

it.skipIf(isWithoutPostgres)('survives many histories with PostgreSQL', async () => {
  const server = await startPostgresServer();
  try {
    const seeds = bySize({ short: 40, all: 400, long: 4000 });
    const open = () => InPostgres.on(server.connection);
    const { violated } = await runCampaign({ store: 'postgres', from, seeds, open });
    expect(violated.map(describeHistory).join('\n')).toBe('');
  } finally {
    await server.stop();
  }
});
