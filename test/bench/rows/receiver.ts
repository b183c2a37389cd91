import { Child } from '../child.ts';
import type { ReceiverSettings, ReceiverSide } from '../receiving.ts';
import { compare, perSecond, type Row, type RowGroup } from '../row.ts';
import { withStore } from '../store-place.ts';
import type { Took, Turn } from '../worker.ts';

/** A receiver, and the service that delivers to it, each in a process of its own. */
class Receiving {
  readonly #receiver: Child;
  readonly #sender: Child;

  private constructor(receiver: Child, sender: Child) {
    this.#receiver = receiver;
    this.#sender = sender;
  }

  static async start(settings: ReceiverSettings): Promise<Receiving> {
    const receiver = new Child('./receiver-server.ts', settings);
    const url = await receiver.next<string>();
    const sender = new Child('./worker.ts', { library: 'sender', job: 'deliver', url });
    await sender.next();
    return new Receiving(receiver, sender);
  }

  /** Returns what each delivery took: time on the clock, and CPU time of the receiver alone. */
  async deliver(turn: Turn): Promise<Took> {
    const before = await this.#receiver.ask<number>({});
    const { seconds } = await this.#sender.ask<Took>(turn);
    const cpuSeconds = ((await this.#receiver.ask<number>({})) - before) / turn.count;
    return { seconds, cpuSeconds };
  }

  stop(): void {
    this.#sender.stop();
    this.#receiver.stop();
  }
}

/** Two receivers take turns. */
interface ReceiverRace {
  readonly ours: ReceiverSide['job'];
  readonly theirs: ReceiverSide['job'];
  readonly database: string;
  readonly turn: Turn;
}

const rounds = 25;
const warmUp = 20_000;

async function run({ database, turn, ...race }: ReceiverRace) {
  const ours = await Receiving.start({ library: 'receiver', job: race.ours, database });
  const theirs = await Receiving.start({ library: 'bare-receiver', job: race.theirs, database });
  const took: { ours: Took[]; theirs: Took[] } = { ours: [], theirs: [] };
  for (const side of [ours, theirs]) await side.deliver({ ...turn, count: warmUp });
  for (let round = 0; round < rounds; round += 1) {
    took.ours.push(await ours.deliver(turn));
    took.theirs.push(await theirs.deliver(turn));
  }
  for (const side of [ours, theirs]) side.stop();
  return took;
}

const peer = 'a bare handler';

async function memoryRow(): Promise<Row> {
  const turn = { count: 4_000, inFlight: 32 };
  const { ours, theirs } = await run({ ours: 'memory', theirs: 'memory', database: '', turn });
  const rate = ({ cpuSeconds }: Took) => 1 / cpuSeconds;
  return compare({
    what: 'receiver with `memoryStore`, deliveries per CPU second',
    goal: ['≥', 0.6],
    peer,
    ours: ours.map(rate),
    theirs: theirs.map(rate),
    unit: perSecond,
  });
}

async function postgresRow(mode: 'inline' | 'transaction', bound: number): Promise<Row> {
  const turn = { count: 1_500, inFlight: 32 };
  const { ours, theirs } = await withStore('postgres', ({ address }) =>
    run({ ours: mode, theirs: 'postgres', database: address, turn }),
  );
  const rate = ({ seconds }: Took) => 1 / seconds;
  return compare({
    what: `receiver with \`postgresStore\`, ${mode}, deliveries/s`,
    goal: ['≥', bound],
    peer,
    ours: ours.map(rate),
    theirs: theirs.map(rate),
    unit: perSecond,
  });
}

/** Needs PostgreSQL on the machine. */
export const receiver: RowGroup = {
  name: 'receiver',
  measure: async () => [
    await memoryRow(),
    await postgresRow('inline', 0.6),
    await postgresRow('transaction', 0.8),
  ],
};
