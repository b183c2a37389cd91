/** What becomes of an operation, whatever happened to it before: in one process, or in a new one for each call. */

import { type PaymentsClient, PaymentsError } from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { expect } from 'vitest';
import { listOpen, options } from '../journal/shop.ts';
import { refund } from './fixtures.ts';
import { createClient } from './mock-service.ts';
import { startAnew } from './new-process.ts';

const hour = 3_600_000;

/** What the service does with a request, and what the client sees of it. */
export const faults = [
  'lost',
  'drop',
  'refused',
  '500',
  '429',
  '403',
  'decline',
  'page',
  'empty',
  'half',
] as const;
type Answer = 'ok' | (typeof faults)[number];

const failedConnection = (code: string, syscall: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });

/** A service that remembers keys for a day, and what it executed. */
class Service {
  readonly requests: string[] = [];
  /** The results of executed requests, by key; each without one is an execution of its own. */
  readonly executed: string[] = [];
  readonly #replays = new Map<
    string,
    { readonly body: string; readonly at: number; readonly status: number }
  >();
  next: Answer = 'ok';
  now = 0;

  readonly fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const text = await request.text();
    const key = request.headers.get('idempotency-key') ?? undefined;
    if (this.next === 'refused') throw failedConnection('ECONNREFUSED', 'connect');
    this.requests.push([request.method, new URL(request.url).pathname, key, text].join(' '));
    if (this.next === 'drop') throw failedConnection('ECONNRESET', 'read');
    if (this.next === '500') return Response.json({}, { status: 500 });
    if (this.next === '429') return Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
    if (this.next === '403') return Response.json({ error: { code: 'FORBIDDEN' } }, { status: 403 });
    if (this.next === 'page') return new Response('<html>Payment Required</html>', { status: 402 });
    const isForm = request.url.endsWith('.php');
    const { status, body, isReplayed } = this.#execute(isForm, key);
    if (this.next === 'lost') throw failedConnection('ECONNRESET', 'read');
    if (this.next === 'empty') return new Response(null, { status: 204 });
    const headers = isReplayed ? { 'idempotent-replayed': 'true' } : {};
    if (this.next === 'half')
      return new Response(body.slice(0, -2), { headers: { 'content-length': '999' } });
    return new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } });
  };

  /** Executes a request, or declines it, unless its key is known. */
  #execute(isForm: boolean, key: string | undefined) {
    const known = key === undefined ? undefined : this.#replays.get(key);
    if (known && this.now - known.at <= 24 * hour) return { ...known, isReplayed: true };
    const isDeclined = this.next === 'decline';
    const id = `${isForm ? 't' : 'rf_'}${this.executed.length + 1}`;
    if (!isDeclined) this.executed.push(id);
    const form = `response=${isDeclined ? 2 : 1}&responsetext=OK&transactionid=${id}`;
    const object = isDeclined ? { error: { code: 'CARD_DECLINED' } } : { ...refund, id };
    const answer = {
      status: isDeclined && !isForm ? 402 : 200,
      body: isForm ? form : JSON.stringify(object),
    };
    if (key !== undefined) this.#replays.set(key, { ...answer, at: this.now });
    return { ...answer, isReplayed: false };
  }
}

const sale = { amount: '12.00', payment_token: 'tok_1', orderid: '1042' };
const payout = { method: 'PUT', path: '/v1/payouts/po_1' } as const;

/** `other` parameters differ from the usual ones, and `bad` ones are refused before anything is sent. */
type Which = 'usual' | 'other' | 'bad';

type Call = (payments: PaymentsClient, which: Which) => Promise<string>;

const amounts: Readonly<Record<Which, number>> = { usual: 5, other: 6, bad: 0.5 };

const recorded = ({ fromJournal }: { readonly fromJournal: boolean }) => (fromJournal ? ' recorded' : '');
/** Some results have no schema of the SDK, so that any JSON is one. */
const idOf = (value: unknown) => String(Object(value)['id']);

const calls: Readonly<Record<string, { readonly operation: string; readonly call: Call }>> = {
  create: {
    operation: 'refunds.create',
    call: async (payments, which) => {
      const params = { charge_id: 'ch_1', amount: amounts[which] };
      const { data, response } = await payments.refunds.create(params, options).withResponse();
      return data.id + recorded(response);
    },
  },
  sale: {
    operation: 'transact.sale',
    call: async ({ transact }, which) => {
      const params = { ...sale, amount: { usual: sale.amount, other: '13.00', bad: 'free' }[which] };
      const { data, response } = await transact.sale(params, options).withResponse();
      return `${data.approved ? '' : 'declined '}${data.transactionid}${recorded(response)}`;
    },
  },
  put: {
    operation: 'PUT /v1/payouts/po_1',
    call: async (payments, which) => {
      const request = { ...payout, body: { amount: which === 'bad' ? new Map() : amounts[which] } };
      const { data, response } = await payments.request(request, options).withResponse();
      return idOf(data) + recorded(response);
    },
  },
};

/** Where a history happens. */
export interface World {
  /** `undefined` without a journal. */
  readonly journal: Partial<JournalOptions> | undefined;
  /** Whether each call comes from a new process. */
  readonly isRestarted: boolean;
}

/** An operation, its service and the processes that call it. */
export function start({ journal, isRestarted }: World) {
  const service = new Service();
  const clock = { time: Date.UTC(2026, 0, 1) };
  const store = memoryStore({ now: () => clock.time });
  const open = () => {
    // A new process knows nothing of the calls before.
    startAnew();
    return createClient({
      fetch: service.fetch,
      maxRetries: 0,
      ...(journal && { journal: createJournal({ store, now: () => clock.time, ...journal }) }),
    });
  };
  let payments = open();
  const client = () => {
    if (isRestarted) payments = open();
    return payments;
  };
  const states = async () => (await listOpen(client())).map(({ state }) => state).join() || 'none';
  const first = async () => (await listOpen(client()))[0] ?? expect.fail('no operation is open');

  /** Takes a step, and returns what came of it: an id, the class and outcome of an error, or `ok`. */
  async function take(verb: string, word = ''): Promise<string> {
    const which = verb === 'other' || verb === 'bad' ? verb : 'usual';
    const [name = '', answer] = which === 'usual' ? [verb, word] : word.split(' ');
    service.next = [...faults, 'ok' as const].find((one) => one === answer) ?? 'ok';
    service.now = clock.time;
    const call = calls[name];
    if (call !== undefined) return call.call(client(), which);
    if (verb === 'plan') {
      await client().journal.plan().refunds.create({ charge_id: 'ch_1', amount: 5 }, options);
      return 'ok';
    }
    if (verb === 'resume') return idOf(await (await first()).resume());
    if (verb === 'executed' || verb === 'not_executed') {
      const operation = calls[word]?.operation ?? (await first()).operation;
      await client().journal.settle(options.operationId, { operation, outcome: verb });
      return 'ok';
    }
    if (verb === 'pass') clock.time += Number(word.replace('h', '')) * hour;
    return verb === 'pass' ? 'ok' : states();
  }

  const tell = (error: unknown) =>
    error instanceof PaymentsError ? `${error.name} ${error.outcome}` : String(error);
  return { service, take: (verb: string, word?: string) => take(verb, word).catch(tell) };
}

/** Follows a history: steps with `;` between them, each with what comes of it after a colon. */
export async function follow(world: World, history: string): Promise<void> {
  const { service, take } = start(world);
  for (const step of history.split('; ')) {
    const [, verb = '', word, end] = /^(\w+)(?: ([^:]+))?(?:: (.+))?$/.exec(step) ?? [];
    if (verb === 'sent') expect(service.requests, history).toHaveLength(Number(word));
    else {
      const [found, expected] = [await take(verb, word), end ?? 'ok'];
      // An error without an outcome may have any.
      const shown = expected.endsWith('Error') ? found.split(' ')[0] : found;
      expect(shown, `${step}, in ${history}`).toBe(expected);
    }
  }
  // Each repeat has the same key and the same bytes.
  const targets = service.requests.map((request) => request.split(' ', 2).join(' '));
  if (!history.includes('other')) expect(new Set(service.requests).size).toBe(new Set(targets).size);
}
