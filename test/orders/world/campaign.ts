import type { Database, StoreKind } from './database.ts';
import { type History, runHistory } from './history.ts';
import { InMemory } from './in-memory.ts';
import { InSqlite } from './in-sqlite.ts';

/** What to run. */
export interface CampaignOptions {
  readonly store: StoreKind;
  /** The first seed. */
  readonly from: number;
  readonly seeds: number;
  /** Opens a database that is not in this process. */
  readonly open?: () => Promise<Database>;
  readonly onHistory?: (history: History) => void;
}

/** What happened in all histories. */
export interface CampaignResult {
  readonly histories: number;
  readonly calls: number;
  readonly kills: number;
  readonly edits: number;
  readonly shipped: number;
  /** Orders with several payments. */
  readonly severalPayments: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly violated: readonly History[];
}

function databaseOf({ store, open }: CampaignOptions): Promise<Database> | Database {
  if (open !== undefined) return open();
  return store === 'memory' ? new InMemory() : new InSqlite(store === 'sqlite file');
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function countFaults(histories: readonly History[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { faults } of histories)
    for (const [name, times] of faults) counts.set(name, (counts.get(name) ?? 0) + times);
  return counts;
}

/** Runs one history for each seed. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { from, seeds, onHistory } = options;
  const histories: History[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const history = await runHistory(seed, await databaseOf(options));
    onHistory?.(history);
    // Their logs are long.
    histories.push(history.violations.length > 0 ? history : { ...history, log: [] });
  }
  return {
    histories: histories.length,
    calls: sum(histories.map(({ calls }) => calls)),
    kills: sum(histories.map(({ kills }) => kills)),
    edits: sum(histories.map(({ edits }) => edits)),
    shipped: sum(histories.map(({ shipped }) => shipped)),
    severalPayments: sum(histories.map(({ severalPayments }) => severalPayments)),
    faults: countFaults(histories),
    violated: histories.filter(({ violations }) => violations.length > 0),
  };
}

/** Describes a history that broke an invariant: its seed, what broke, and what happened before. */
export function describeHistory({ seed, violations, log }: History): string {
  return [`Seed ${seed}:`, ...violations, ...log].join('\n');
}
