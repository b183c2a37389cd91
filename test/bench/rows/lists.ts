import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Contest, hold } from '../contest.ts';
import { kilobytes, perSecond, type Row, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';
import { type Surroundings, withServer } from '../surroundings.ts';

const names = ['payments-client', 'stripe'] as const;

function read({ server, certificate }: Surroundings, over: Pick<Contest, 'task' | 'rounds' | 'warmUp'>) {
  return hold({ ...over, names, url: server.urls.plain, certificate });
}

type Results = Awaited<ReturnType<typeof hold>>;

function secondsOf(results: Results) {
  const of = (name: (typeof names)[number]) => (results.get(name) ?? []).map(({ seconds }) => seconds);
  return { ours: of('payments-client'), theirs: of('stripe') };
}

function measuredOf(results: Results): Row['measured'] {
  return [...results].map(([name, rounds]) => [
    name,
    `${perSecond(median(rounds.map(({ count, seconds }) => count / seconds)))} records`,
  ]);
}

export const list: RowGroup = {
  name: 'list',
  measure: () =>
    withServer(async (surroundings) => {
      const task = { kind: 'list', workPerPage: 0 } as const;
      const results = await read(surroundings, { task, rounds: 41, warmUp: 8 });
      const { ours, theirs } = secondsOf(results);
      const each = ratios(theirs, ours);
      return [
        {
          what: '`for await` over 10,000 records, requests of 100, records/s',
          target: '≥ 1 × stripe',
          figure: times(median(each)),
          isMet: median(each) >= 1,
          spread: middleHalf(each),
          measured: measuredOf(results),
        },
      ];
    }),
};

export const listWithWork: RowGroup = {
  name: 'list-with-work',
  measure: () =>
    withServer(async (surroundings) => {
      await surroundings.server.set({ latency: 20 });
      const task = { kind: 'list', workPerPage: 20 } as const;
      const results = await read(surroundings, { task, rounds: 3, warmUp: 1 });
      const { ours, theirs } = secondsOf(results);
      const each = ratios(ours, theirs);
      return [
        {
          what: 'the same with 20 ms of latency and 20 ms of work a page, time',
          target: '≤ 0.6 × stripe',
          figure: times(median(each)),
          isMet: median(each) <= 0.6,
          spread: middleHalf(each),
          measured: measuredOf(results),
        },
      ];
    }),
};

const reader = fileURLToPath(new URL('../memory-reader.ts', import.meta.url));

/** The most that was in use after a collection, while all records of the list were read, in bytes. */
function peakOf(url: string): number {
  const output = execFileSync(process.execPath, ['--expose-gc', reader, url], { encoding: 'utf8' });
  return Number(output);
}

async function peakOver({ server }: Surroundings, total: number): Promise<number> {
  await server.set({ total });
  return peakOf(server.urls.plain);
}

export const memory: RowGroup = {
  name: 'memory',
  measure: () =>
    withServer(async (surroundings) => {
      const few = await peakOver(surroundings, 100_000);
      const many = await peakOver(surroundings, 1_000_000);
      return [
        {
          what: 'peak memory in use over 1,000,000 records',
          target: '≤ 1.1 × that over 100,000',
          figure: times(many / few),
          isMet: many / few <= 1.1,
          spread: '',
          measured: [
            ['1,000,000 records', kilobytes(many)],
            ['100,000 records', kilobytes(few)],
          ],
        },
      ];
    }),
};
