import { run } from '../race.ts';
import { median, middleHalf, millis, type Row, type RowGroup } from '../row.ts';
import { type StorePlace, withStore } from '../store-place.ts';

/** The time that a journal adds to a call. The calls run one after the other, since the wait for the store is the cost. */
async function rowOf(kind: StorePlace['kind']): Promise<Row> {
  const { ours, theirs } = await withStore(kind, (store) =>
    run({
      ours: { library: 'journal', job: 'create' },
      theirs: { library: 'payments-client', job: 'create' },
      turn: { count: 150, inFlight: 1 },
      warmUp: 2_000,
      rounds: 25,
      settings: { store },
    }),
  );
  const added = ours.map(({ seconds }, round) => (seconds - (theirs[round]?.seconds ?? Number.NaN)) * 1000);
  const secondsOf = (took: typeof ours) => millis(median(took.map(({ seconds }) => seconds)));
  return {
    what: `a journal in \`${kind}Store\`, added to a call`,
    goal: '',
    figure: `${median(added).toFixed(2)} ms`,
    met: '',
    spread: middleHalf(added),
    measured: `with a journal ${secondsOf(ours)}; without ${secondsOf(theirs)}`,
  };
}

/** Needs Redis and PostgreSQL on the machine. */
export const journal: RowGroup = {
  name: 'journal',
  measure: async () => [await rowOf('sqlite'), await rowOf('redis'), await rowOf('postgres')],
};
