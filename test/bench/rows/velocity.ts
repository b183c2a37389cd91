import { busyRow } from '../busy-rule.ts';
import type { ContenderName } from '../contender.ts';
import { hold } from '../contest.ts';
import { type Row, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';
import { type StoreKind, storeKinds, withStore } from '../store-places.ts';
import { alone, together, type Way } from '../ways.ts';

const [ours, limit] = ['velocity', 'counters'] as const;

/** How much longer a check may take than bare counters, which have no window, no verdict, and count an attempt that comes again. */
const slack = 2;

/** What rows call the stores and their bare statements; and how many times as many checks a round has. */
const words: Readonly<
  Record<StoreKind, { readonly store: string; readonly bare: string; readonly more: number }>
> = {
  memory: { store: 'memoryStore', bare: 'two writes to a Map', more: 20 },
  sqlite: { store: 'sqliteStore', bare: 'one upsert of two rows', more: 1 },
  redis: { store: 'redisStore', bare: 'two INCR and EXPIRE', more: 2 },
  postgres: { store: 'postgresStore', bare: 'one upsert of two rows', more: 1 },
};

type Results = Awaited<ReturnType<typeof hold>>;

function toRow(kind: StoreKind, way: Way, results: Results): Row {
  const { store, bare } = words[kind];
  const { sign, figureOf, unit } = way;
  const secondsOf = (name: ContenderName) =>
    (results.get(name) ?? []).map(({ seconds, count }) => seconds / count);
  const shown = (name: ContenderName) => unit(median(secondsOf(name)));
  const figures = ratios(secondsOf(ours), secondsOf(limit)).map(figureOf);
  const [figure, bound] = [median(figures), figureOf(slack)];
  return {
    what: `velocity check of two rules in ${store}, ${way.what('checks')}`,
    target: `${sign} ${bound} × ${bare}`,
    figure: times(figure),
    isMet: sign === '≥' ? figure >= bound : figure <= bound,
    spread: middleHalf(figures),
    measured: [
      ['check', shown(ours)],
      [bare, shown(limit)],
    ],
  };
}

function rowsBesideCounters(kind: StoreKind): Promise<readonly Row[] | undefined> {
  return withStore(kind, async (store) => {
    const rows: Row[] = [];
    for (const way of [alone, together]) {
      const count = way.count * words[kind].more;
      const task = { kind: 'create', count, inFlight: way.inFlight } as const;
      // Neither talks to a server over HTTP.
      const contest = { names: [ours, limit], url: '', certificate: '', store, task };
      rows.push(toRow(kind, way, await hold({ ...contest, rounds: 25, warmUp: 5 })));
    }
    return rows;
  });
}

async function rowsOf(kind: StoreKind): Promise<readonly Row[]> {
  const { store } = words[kind];
  const rows = await rowsBesideCounters(kind);
  if (rows === undefined) console.log(`${store} is left out: its server is not installed.`);
  const busy = await withStore(kind, (place) => busyRow(store, place), { isDurable: false });
  return [...(rows ?? []), ...(busy === undefined ? [] : [busy])];
}

export const velocity: RowGroup = {
  name: 'velocity',
  measure: async () => {
    const rows: Row[] = [];
    for (const kind of storeKinds) rows.push(...(await rowsOf(kind)));
    return rows;
  },
};
