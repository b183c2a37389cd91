import { join } from 'node:path';
import { folder } from '../build.ts';
import { output, takeTurns } from '../programs.ts';
import { withServer } from '../race.ts';
import { compare, millis, type Row, type RowGroup } from '../row.ts';
import type { Side } from '../side.ts';

function costOf(library: Side['library'], url: string): number {
  return Number(output(join(folder, 'first-call.ts'), library, url));
}

/** What who starts a process for each request waits for. */
async function firstCallRow(): Promise<Row> {
  const costs = await withServer({}, async (url) =>
    takeTurns(
      31,
      () => costOf('payments-client', url),
      () => costOf('stripe', url),
    ),
  );
  const what = 'first POST of a process, CPU time';
  return compare({ what, goal: ['≤', 1.2], peer: 'stripe', ...costs, unit: millis });
}

export const firstCall: RowGroup = { name: 'first-call', measure: async () => [await firstCallRow()] };
