import { type ContenderName, contenderNames } from '../contender.ts';
import { type Contest, hold } from '../contest.ts';
import { micros, perSecond, type Row, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';
import { withServer } from '../surroundings.ts';
import type { Took } from '../worker.ts';

const ours = 'payments-client';
const many = { kind: 'create', count: 4_000, inFlight: 32 } as const;
const one = { kind: 'create', count: 1_500, inFlight: 1 } as const;

type Results = Awaited<ReturnType<typeof hold>>;

const rateOf = ({ count, seconds }: Took) => count / seconds;
const cpuOf = ({ count, cpuSeconds }: Took) => cpuSeconds / count;

/** Medians of all contenders, ours first. */
function measuredOf(results: Results): Row['measured'] {
  return [...results].map(([name, rounds]) => [
    name,
    `${perSecond(median(rounds.map(rateOf)))}, ${micros(median(rounds.map(cpuOf)))} CPU`,
  ]);
}

interface Comparison {
  readonly what: string;
  readonly peer: ContenderName;
  readonly of: (took: Took) => number;
  readonly unit: string;
  readonly bound: number;
  readonly sign: '≥' | '≤';
}

function compare(results: Results, { what, peer, of, unit, bound, sign }: Comparison): Row {
  const values = (name: ContenderName) => (results.get(name) ?? []).map(of);
  const each = ratios(values(ours), values(peer));
  const ratio = median(each);
  return {
    what,
    target: `${sign} ${bound} × ${peer}${unit}`,
    figure: times(ratio),
    isMet: sign === '≥' ? ratio >= bound : ratio <= bound,
    spread: middleHalf(each),
    measured: measuredOf(results),
  };
}

function contest(over: Pick<Contest, 'names' | 'task'> & { readonly isSecure?: boolean }): Promise<Results> {
  return withServer(({ server, certificate }) => {
    const url = over.isSecure === true ? server.urls.secure : server.urls.plain;
    return hold({ names: over.names, task: over.task, url, certificate, rounds: 15, warmUp: 4 });
  });
}

const rate = { of: rateOf, unit: '', sign: '≥' } as const;

export const create: RowGroup = {
  name: 'create',
  measure: async () => {
    const what = 'POST create, 32 in flight, requests/s';
    const results = await contest({ names: contenderNames, task: many });
    return [
      compare(results, { ...rate, what, peer: 'stripe', bound: 1.2 }),
      { ...compare(results, { ...rate, what, peer: 'openai', bound: 2.2 }), measured: [] },
    ];
  },
};

export const createAlone: RowGroup = {
  name: 'create-alone',
  measure: async () => {
    const what = 'POST create, one in flight, CPU per request';
    const results = await contest({ names: [ours, 'stripe', 'undici', 'node:http'], task: one });
    return [compare(results, { what, peer: 'stripe', of: cpuOf, unit: '', bound: 0.9, sign: '≤' })];
  },
};

export const createOverTls: RowGroup = {
  name: 'create-tls',
  measure: async () => {
    const what = 'POST create over TLS, 32 in flight, requests/s';
    const names = [ours, 'stripe', 'undici', 'node:http'] as const;
    const results = await contest({ names, task: many, isSecure: true });
    return [compare(results, { ...rate, what, peer: 'stripe', bound: 1.1 })];
  },
};
