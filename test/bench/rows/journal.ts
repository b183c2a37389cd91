import type { ContenderName } from '../contender.ts';
import { hold } from '../contest.ts';
import { type Row, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';
import { type StoreKind, storeKinds, withStore } from '../store-places.ts';
import { withServer } from '../surroundings.ts';
import { alone, together, type Way } from '../ways.ts';

const [plain, ours, limit] = ['payments-client', 'journal', 'statements'] as const;

/**
 * How much longer a call with a journal may take than one without a journal between two bare statements of the store. A journal claims the
 * operation before it sends and completes it afterwards, so it cannot take less.
 */
const slack = 1.25;

/** What rows call the stores and their bare statements. */
const words: Readonly<Record<StoreKind, { readonly store: string; readonly statements: string }>> = {
  memory: { store: 'memoryStore', statements: 'writes to a Map' },
  sqlite: { store: 'sqliteStore', statements: 'upserts' },
  redis: { store: 'redisStore', statements: 'SETs' },
  postgres: { store: 'postgresStore', statements: 'upserts' },
};

type Results = Awaited<ReturnType<typeof hold>>;

function toRow(kind: StoreKind, way: Way, results: Results): Row {
  const { sign, figureOf, unit } = way;
  const { store, statements } = words[kind];
  const secondsOf = (name: ContenderName) =>
    (results.get(name) ?? []).map(({ seconds, count }) => seconds / count);
  const ratioTo = (name: ContenderName) => ratios(secondsOf(ours), secondsOf(name)).map(figureOf);
  const shown = (name: ContenderName) => unit(median(secondsOf(name)));
  const [figures, bound] = [ratioTo(limit), figureOf(slack)];
  const figure = median(figures);
  return {
    what: `POST create with a journal in ${store}, ${way.what('requests')}`,
    target: `${sign} ${bound} × no journal, two ${statements}`,
    figure: times(figure),
    isMet: sign === '≥' ? figure >= bound : figure <= bound,
    spread: middleHalf(figures),
    measured: [
      ['journal', `${shown(ours)}, ${times(median(ratioTo(plain)))} no journal`],
      ['no journal', shown(plain)],
      [`no journal, two ${statements}`, shown(limit)],
    ],
  };
}

function rowsOf(kind: StoreKind): Promise<readonly Row[] | undefined> {
  return withStore(kind, (store) =>
    withServer(async ({ server, certificate }) => {
      const rows: Row[] = [];
      for (const way of [alone, together]) {
        const task = { kind: 'create', count: way.count, inFlight: way.inFlight } as const;
        const contest = { names: [plain, ours, limit], url: server.urls.plain, certificate, store, task };
        rows.push(toRow(kind, way, await hold({ ...contest, rounds: 25, warmUp: 5 })));
      }
      return rows;
    }),
  );
}

export const journal: RowGroup = {
  name: 'journal',
  measure: async () => {
    const rows: Row[] = [];
    for (const kind of storeKinds) {
      const measured = await rowsOf(kind);
      if (measured === undefined)
        console.log(`${words[kind].store} is left out: its server is not installed.`);
      rows.push(...(measured ?? []));
    }
    return rows;
  },
};
