/** Runs histories of shops: `npx node --import ./test/support/source-hook.ts test/orders/world/run.ts --seeds 100 --store memory --from 1`. */

import { parseArgs } from 'node:util';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { describeHistory, runCampaign } from './campaign.ts';
import type { StoreKind } from './database.ts';
import { InPostgres } from './in-postgres.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    store: { type: 'string', default: 'memory' },
    logs: { type: 'string', default: '1' },
  },
});

const kinds = ['memory', 'sqlite', 'sqlite file', 'postgres'] as const satisfies readonly StoreKind[];
const store = kinds.find((kind) => kind === values.store);
if (store === undefined)
  throw new Error(`--store: expected one of ${kinds.join(', ')}, got '${values.store}'.`);

const server = store === 'postgres' ? await startPostgresServer() : undefined;
const { violated, faults, ...counts } = await runCampaign({
  store,
  from: Number(values.from),
  seeds: Number(values.seeds),
  ...(server !== undefined && { open: () => InPostgres.on(server.connection) }),
});
await server?.stop();
const lines = [
  ...violated.slice(0, Number(values.logs)).map(describeHistory),
  ...Object.entries({ ...counts, ...Object.fromEntries(faults) }).map(([name, count]) => `${count} ${name}`),
  ...violated.map(({ seed, violations: [first] }) => `seed ${seed}: ${first}`),
  `${violated.length} histories broke an invariant`,
];
process.stdout.write(`${lines.join('\n')}\n`);
// Requests of dead processes wait for ever.
process.exitCode = violated.length > 0 ? 1 : 0;
process.exit();
