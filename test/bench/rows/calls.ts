import { type Race, run } from '../race.ts';
import { type Comparison, compare, micros, millis, perSecond, type RowGroup } from '../row.ts';
import type { Side } from '../side.ts';
import type { Took } from '../worker.ts';

function sides(job: Side['job'], library: Side['library'] = 'stripe'): Pick<Race, 'ours' | 'theirs'> {
  return { ours: { library: 'payments-client', job }, theirs: { library, job } };
}

export const creating: Race = { ...sides('create'), turn: { count: 4_000, inFlight: 32 }, rounds: 25 };

const records = 10_000;

/** A turn is a whole list of 100 requests. */
export const listing: Race = {
  ...sides('list'),
  turn: { count: 1, inFlight: 1 },
  warmUp: 200,
  rounds: 41,
};

const verifying = { turn: { count: 20_000, inFlight: 1 }, rounds: 31 };

interface Measure extends Pick<Comparison, 'what' | 'goal' | 'unit'> {
  readonly of: (took: Took) => number;
}

const cpu = { of: ({ cpuSeconds }: Took) => cpuSeconds, unit: micros };
const rate = { of: ({ seconds }: Took) => 1 / seconds, unit: perSecond };
/** For work that never waits: a pause of the process does not count. */
const perCpuSecond = { of: ({ cpuSeconds }: Took) => 1 / cpuSeconds, unit: perSecond };

function group(name: string, race: Race, ...measures: readonly Measure[]): RowGroup {
  const measure = async () => {
    const { ours, theirs } = await run(race);
    const peer = race.theirs.library;
    return measures.map(({ of, ...row }) =>
      compare({ ...row, peer, ours: ours.map(of), theirs: theirs.map(of) }),
    );
  };
  return { name, measure };
}

export const calls: readonly RowGroup[] = [
  group(
    'create',
    creating,
    { ...rate, what: 'POST, 32 in flight, requests/s', goal: ['≥', 1.05] },
    { ...cpu, what: 'POST, 32 in flight, CPU time', goal: ['≤', 1] },
  ),
  group(
    'create-alone',
    { ...creating, turn: { count: 1_500, inFlight: 1 } },
    { ...cpu, what: 'POST, one in flight, CPU time', goal: ['≤', 1.05] },
  ),
  group(
    'create-tls',
    { ...creating, isSecure: true },
    { ...rate, what: 'POST over TLS, 32 in flight, requests/s', goal: ['≥', 1.05] },
  ),
  group('list', listing, {
    what: '`for await` over 10,000 records, requests of 100, records/s',
    goal: ['≥', 0.9],
    of: ({ seconds }) => records / seconds,
    unit: perSecond,
  }),
  group(
    'list-with-work',
    { ...listing, warmUp: 1, rounds: 3, server: { latency: 20 }, settings: { workPerPage: 20 } },
    {
      what: 'the same, with 20 ms of latency and 20 ms of work for each request, time',
      goal: ['≤', 0.55],
      of: ({ seconds }) => seconds,
      unit: millis,
    },
  ),
  group(
    'webhooks',
    { ...verifying, ...sides('webhook') },
    { ...perCpuSecond, what: 'webhook verified and parsed, events per CPU second', goal: ['≥', 1] },
  ),
  group(
    'standard-webhooks',
    { ...verifying, ...sides('standardWebhook', 'standardwebhooks') },
    {
      ...perCpuSecond,
      what: 'webhook of Standard Webhooks verified and parsed, events per CPU second',
      goal: ['≥', 2.2],
    },
  ),
];
