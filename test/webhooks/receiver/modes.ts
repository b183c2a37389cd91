/** Each way to handle an event, behind the same few functions, over any store. */

import { memoryStore, type Store } from 'payments-client/stores';
import type {
  DeliveryFailure,
  DeliveryReport,
  Receiver,
  ReceiverOptions,
  WebhookEvent,
  WebhookJob,
  WebhookStore,
  Webhooks,
  WebhooksOptions,
} from 'payments-client/webhooks';
import { delivery, webhooksAt } from '../../support/deliveries.ts';

/** A store, and the merchant's table of effects in the same database. */
export interface Backend<Client> {
  readonly store: WebhookStore<Client> & Required<Pick<Store<Client>, 'record'>>;
  transaction(run: (client: Client) => Promise<void>): Promise<unknown>;
  /** Adds an effect: at once, or with the transaction. */
  add(effect: string, client?: Client): Promise<unknown>;
  /** The effects that were committed. */
  effects(): Promise<readonly string[]>;
  /** Moves the clock of the store, in ms; absent if it has none of its own. */
  advance?(milliseconds: number): void;
}

/** What a handler gets in every mode. */
export interface Work {
  readonly event: WebhookEvent;
  readonly operationId: string;
  readonly rawBody: string | Uint8Array;
  readonly scope: string | undefined;
  readonly issues: readonly { readonly path: string }[];
  readonly signal: { readonly aborted: boolean };
  /** Has the effect. */
  add(): Promise<unknown>;
}

export type Handler = (work: Work) => unknown;

/** How an event is handled. In the last two, its effect and its record commit together. */
export const modes = ['inline', 'completeIn', 'transaction'] as const;
export type Mode = (typeof modes)[number];

/** How an event comes to its handler: within the request, or as the job of a queue. */
export const arrivals = ['request', 'job'] as const;
export type Arrival = (typeof arrivals)[number];

type Common = Omit<ReceiverOptions, 'store' | 'on' | 'onEvent'>;

/** Creates a receiver of a mode. */
export function receiverOf<Client>(
  webhooks: Webhooks,
  mode: Mode,
  { store, transaction, add }: Backend<Client>,
  handler: Handler,
  options: Common,
): Pick<Receiver, 'handle' | 'node' | 'dispatch' | 'failed' | 'backlog' | 'discard'> {
  const work = (event: WebhookEvent, context: Omit<Work, 'event' | 'add'>, client?: Client) =>
    handler({ ...context, event, add: () => add(event.id, client) });
  switch (mode) {
    case 'inline':
      return webhooks.receiver<Client>({
        ...options,
        store,
        onEvent: (event, context) => work(event, context),
      });
    case 'completeIn':
      return webhooks.receiver<Client>({
        ...options,
        store,
        onEvent: (event, context) =>
          transaction(async (client) => {
            await work(event, context, client);
            await context.completeIn(client);
          }),
      });
    case 'transaction':
      return webhooks.receiver({
        ...options,
        store,
        transaction,
        onEvent: (event, context) => work(event, context, context.client),
      });
  }
}

/** The outcome of a job, in the words of a delivery. */
async function outcomeOf(dispatched: Promise<string>): Promise<string> {
  try {
    return await dispatched;
  } catch (error) {
    return Object(error).code === 'WEBHOOK_IN_PROGRESS' ? 'in_progress' : 'failed';
  }
}

/** Options of {@link openShop}. */
export interface ShopOptions<Client> {
  readonly mode: Mode;
  readonly arrival: Arrival;
  readonly backend: Backend<Client>;
  readonly handler: Handler;
  readonly settings?: Partial<WebhooksOptions>;
  readonly options?: Common;
}

/** One process of a merchant. */
export function openShop<Client>({
  mode,
  arrival,
  backend,
  handler,
  settings,
  options,
}: ShopOptions<Client>) {
  const failures: DeliveryFailure[] = [];
  const reports: DeliveryReport[] = [];
  const webhooks = webhooksAt(settings);
  const receiver = receiverOf(webhooks, mode, backend, handler, {
    onError: (failure) => failures.push(failure),
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  const jobs: WebhookJob[] = [];
  // Through JSON, as a queue keeps it.
  const enqueue = (job: WebhookJob) => jobs.push(JSON.parse(JSON.stringify(job)));
  const endpoint = webhooks.receiver({ store: memoryStore(), enqueue });

  /** Delivers a signed body, and returns the outcome of its handling. */
  async function handle(signed: Awaited<ReturnType<typeof delivery>>): Promise<string> {
    if (arrival === 'request') return (await receiver.handle(signed)).outcome;
    const { outcome } = await endpoint.handle(signed);
    const job = jobs.pop();
    return job === undefined ? outcome : outcomeOf(receiver.dispatch(job));
  }
  const deliver = async (value: unknown, signer: Webhooks = webhooksAt()) =>
    handle(await delivery(value, signer));
  return { receiver, deliver, failures, reports };
}

/** An open transaction of the memory of this process. */
export interface MemoryTransaction {
  readonly onCommit: (() => unknown)[];
  readonly locks: Set<string>;
}

/** A store in memory with transactions, as the one of PostgreSQL has them, and a clock that the test moves. */
export function memoryBackend(): Required<Backend<MemoryTransaction>> {
  let time = 1_000_000;
  const base = memoryStore({ now: () => time });
  const locked = new Set<string>();
  const completed = new Map<string, number>();
  const attempts = new Map<string, number>();
  const rows: string[] = [];

  async function end(key: string, token: string, retention: number, data?: string): Promise<boolean> {
    const isOurs = await base.complete(key, token, retention, { data });
    if (isOurs) completed.set(key, time + retention);
    return isOurs;
  }
  return {
    store: {
      ...base,
      claim: async (key, lease) => {
        const claim = await base.claim(key, lease);
        if (claim.status === 'claimed') attempts.set(key, claim.attempt);
        return claim;
      },
      complete: async (key, token, retention, { client, data } = {}) => {
        if (client === undefined) return end(key, token, retention, data);
        if (!(await base.renew(key, token, 60_000))) return false;
        client.onCommit.push(() => end(key, token, retention, data));
        return true;
      },
      record: async (key, retention, { client }) => {
        if (time < (completed.get(key) ?? 0)) return { status: 'completed', data: '' };
        if (locked.has(key)) return { status: 'in_progress', retryAfter: 2000, data: undefined };
        locked.add(key);
        client.locks.add(key);
        client.onCommit.push(async () => {
          const claim = await base.claim(key, 1000);
          if (claim.status === 'claimed') await end(key, claim.token, retention, '');
        });
        const attempt = (attempts.get(key) ?? 0) + 1;
        return { status: 'claimed', token: 'of the transaction', attempt, data: undefined };
      },
    },
    async transaction(run) {
      const client: MemoryTransaction = { onCommit: [], locks: new Set() };
      try {
        await run(client);
        for (const commit of client.onCommit) await commit();
      } finally {
        for (const key of client.locks) locked.delete(key);
      }
    },
    async add(effect, client) {
      const write = () => rows.push(effect);
      if (client === undefined) write();
      else client.onCommit.push(write);
    },
    effects: async () => rows,
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}
