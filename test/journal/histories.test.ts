/** What becomes of an operation, whatever happened to it before: in one process, or in a new one for each call. */

import fc from 'fast-check';
import { type PaymentsClient, PaymentsError } from 'payments-client';
import type { JournalOptions } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { refund } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';
import { bySize } from '../support/size.ts';
import { listOpen, options } from './shop.ts';

const hour = 3_600_000;

/** What the service does with a request, and what the client sees of it. */
const faults = ['lost', 'drop', 'refused', '500', '429', '403', 'decline', 'page', 'empty', 'half'] as const;
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

type Call = (payments: PaymentsClient, isOther: boolean) => Promise<string>;

const recorded = ({ fromJournal }: { readonly fromJournal: boolean }) => (fromJournal ? ' recorded' : '');
/** Some results have no schema of the SDK, so that any JSON is one. */
const idOf = (value: unknown) => String(Object(value)['id']);

const calls: Readonly<Record<string, { readonly operation: string; readonly call: Call }>> = {
  create: {
    operation: 'refunds.create',
    call: async (payments, isOther) => {
      const params = { charge_id: 'ch_1', amount: isOther ? 6 : 5 };
      const { data, response } = await payments.refunds.create(params, options).withResponse();
      return data.id + recorded(response);
    },
  },
  sale: {
    operation: 'transact.sale',
    call: async ({ transact }, isOther) => {
      const params = { ...sale, amount: isOther ? '13.00' : sale.amount };
      const { data, response } = await transact.sale(params, options).withResponse();
      return `${data.approved ? '' : 'declined '}${data.transactionid}${recorded(response)}`;
    },
  },
  put: {
    operation: 'PUT /v1/payouts/po_1',
    call: async (payments, isOther) => {
      const request = { ...payout, body: { amount: isOther ? 6 : 5 } };
      const { data, response } = await payments.request(request, options).withResponse();
      return idOf(data) + recorded(response);
    },
  },
};

/** Where a history happens. */
interface World {
  readonly journal: Partial<JournalOptions>;
  /** Whether each call comes from a new process. */
  readonly isRestarted: boolean;
}

/** An operation, its service and the processes that call it. */
function start({ journal, isRestarted }: World) {
  const service = new Service();
  const clock = { time: Date.UTC(2026, 0, 1) };
  const store = memoryStore({ now: () => clock.time });
  const open = () =>
    createClient({
      fetch: service.fetch,
      maxRetries: 0,
      journal: createJournal({ store, now: () => clock.time, ...journal }),
    });
  let payments = open();
  const client = () => {
    if (isRestarted) payments = open();
    return payments;
  };
  const states = async () => (await listOpen(client())).map(({ state }) => state).join() || 'none';
  const first = async () => (await listOpen(client()))[0] ?? expect.fail('no operation is open');

  /** Takes a step, and returns what came of it: an id, the class and outcome of an error, or `ok`. */
  async function take(verb: string, word = ''): Promise<string> {
    const [name = '', answer] = verb === 'other' ? word.split(' ') : [verb, word];
    service.next = [...faults, 'ok' as const].find((one) => one === answer) ?? 'ok';
    service.now = clock.time;
    const call = calls[name];
    if (call !== undefined) return call.call(client(), verb === 'other');
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
async function follow(world: World, history: string): Promise<void> {
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

const [unknown, unresolved] = ['unknown', 'OperationUnresolvedError unknown'];
const mismatch = (outcome: string) => `OperationMismatchError ${outcome}`;

const histories: Readonly<Record<string, string>> = {
  'a keyed call that succeeded is returned again without a request':
    'create ok: rf_1; create: rf_1 recorded; open: none; sent 1',
  'a sale that succeeded is returned again without a request':
    'sale ok: t1; sale: t1 recorded; open: none; sent 1',
  'a sale that was declined is an end too':
    'sale decline: declined t1; sale: declined t1 recorded; open: none; sent 1',
  'a PUT that succeeded is returned again without a request':
    'put ok: rf_1; put: rf_1 recorded; open: none; sent 1',
  'one id names an operation of each method': 'create ok: rf_1; sale ok: t2; put ok: rf_3; sent 3',
  'the result is remembered for 400 days':
    'create ok: rf_1; pass 9599h; create: rf_1 recorded; pass 1h; create ok: rf_2; sent 2',
  'another body after a success sends nothing': `create ok: rf_1; other create: ${mismatch(unknown)}; sent 1; create: rf_1 recorded`,
  'another body of unknown outcome sends nothing': `create lost: ConnectionError unknown; other create: ${mismatch(unknown)}; open: unknown; sent 1`,
  'another body after a decline of a keyed call sends nothing': `create decline: PaymentDeclinedError not_executed; other create: ${mismatch('not_executed')}; sent 1`,
  'another body after a declined sale sends nothing': `sale decline: declined t1; other sale: ${mismatch('not_executed')}; sent 1`,
  'a rejection is remembered, though not open, for 400 days': `create 403: PermissionError not_executed; open: none; pass 9599h; other create: ${mismatch('not_executed')}; pass 9600h; other create ok: rf_1; sent 2`,
  'a keyed call whose answer was lost is sent again with its key':
    'create lost: ConnectionError unknown; open: unknown; create ok: rf_1; open: none; create: rf_1 recorded; sent 2',
  'a keyed call whose answer was lost is resumed with its key':
    'create lost: ConnectionError unknown; resume ok: rf_1; open: none; create: rf_1 recorded; sent 2',
  'a keyed call whose request was lost is executed once':
    'create drop: ConnectionError unknown; create lost: ConnectionError unknown; resume ok: rf_1; sent 3',
  'a keyed call is sent again within the lifetime of the key':
    'create lost: ConnectionError unknown; pass 24h; create ok: rf_1; sent 2',
  'a keyed call is not sent again once the service may have forgotten the key': `create lost: ConnectionError unknown; pass 25h; create: ${unresolved}; resume: ${unresolved}; open: unknown; sent 1`,
  'an operation that was settled as not executed is sent anew':
    'create drop: ConnectionError unknown; pass 25h; not_executed; open: none; create ok: rf_1; sent 2',
  'an operation that was settled as executed is not sent again':
    'create lost: ConnectionError unknown; executed; open: none; create: PaymentsError executed; sent 1',
  'a repeat that is refused before the key is checked proves nothing':
    'create lost: ConnectionError unknown; create 429: RateLimitError; open: unknown; create 403: PermissionError; open: unknown; create ok: rf_1; sent 4',
  'a replayed decline ends an unknown outcome':
    'create drop: ConnectionError unknown; create decline: PaymentDeclinedError not_executed; open: none; sent 2',
  'a page of a proxy with the status 402 proves nothing':
    'create page: ApiError unknown; open: unknown; create ok: rf_1; sent 2',
  'a success without its object proves no end':
    'create empty: ResponseValidationError unknown; open: unknown; resume ok: rf_1; open: none; sent 2',
  'a success that breaks off proves no end':
    'create half: ResponseValidationError executed; open: unknown; create ok: rf_1; sent 2',
  'a server error leaves a keyed call open':
    'create 500: ServerError unknown; open: unknown; create 500: ServerError unknown; create ok: rf_1; sent 3',
  'a connection that was never made leaves nothing open':
    'create refused: ConnectionError not_executed; open: none; create ok: rf_1; sent 1',
  'a repeat whose connection was never made leaves the operation open':
    'create lost: ConnectionError unknown; create refused: ConnectionError; open: unknown; create ok: rf_1; sent 2',
  'a sale whose answer was lost is never sent again': `sale lost: ConnectionError unknown; open: unknown; sale: ${unresolved}; resume: ${unresolved}; pass 99h; sale: ${unresolved}; open: unknown; sent 1`,
  'a sale whose request was lost is never sent again': `sale drop: ConnectionError unknown; sale: ${unresolved}; open: unknown; sent 1`,
  'a sale after a server error is never sent again': `sale 500: ServerError unknown; sale: ${unresolved}; sent 1`,
  'a sale after the page of a proxy is never sent again': `sale page: ApiError unknown; sale: ${unresolved}; sent 1`,
  'a sale whose answer breaks off is never sent again': `sale half: ResponseValidationError unknown; open: unknown; sale: ${unresolved}; sent 1`,
  'a sale whose connection was never made is sent':
    'sale refused: ConnectionError not_executed; sale ok: t1; sent 1',
  'a sale that was rejected is sent':
    'sale 429: RateLimitError not_executed; open: none; sale ok: t1; sent 2',
  'a sale that was settled as not executed is sent':
    'sale drop: ConnectionError unknown; not_executed sale; sale ok: t1; sent 2',
  'a sale that was settled as executed is not sent':
    'sale lost: ConnectionError unknown; executed sale; sale: PaymentsError executed; open: none; sent 1',
  'a PUT of unknown outcome is never sent again': `put lost: ConnectionError unknown; put: ${unresolved}; resume: ${unresolved}; open: unknown; sent 1`,
  'an empty body is the result of a request':
    'put empty: undefined; put: undefined recorded; open: none; sent 1',
  'a planned operation is not sent until its call':
    'plan; open: planned; sent 0; create ok: rf_1; create: rf_1 recorded; open: none; sent 1',
  'a planned operation is not sent until it is resumed':
    'plan; resume ok: rf_1; open: none; create: rf_1 recorded; sent 1',
  'a planned operation can be planned again':
    'plan; plan; open: planned; create ok: rf_1; plan; open: none; sent 1',
  'planning changes no unknown outcome':
    'create lost: ConnectionError unknown; plan; open: unknown; create ok: rf_1; sent 2',
  'a planned operation stays open after a rejection':
    'plan; resume 429: RateLimitError not_executed; open: planned; create 403: PermissionError not_executed; open: planned; create decline: PaymentDeclinedError not_executed; open: planned',
  'a planned operation that was settled as not executed can be planned again':
    'plan; not_executed create; open: none; plan; open: planned; sent 0',
  'a planned operation that was settled and rejected is not open':
    'plan; not_executed create; create 429: RateLimitError not_executed; open: none',
  'a planned operation is unknown after a lost answer, however long ago it was planned':
    'plan; pass 99h; resume lost: ConnectionError unknown; open: unknown; pass 24h; create ok: rf_1; sent 2',
  'a planned operation refuses another body': `plan; other create: ${mismatch(unknown)}; open: planned; sent 0`,
  'there is nothing to settle before the first call, nor after the end':
    'executed create: InvalidRequestError not_executed; pass 1h; create ok: rf_1; executed create: InvalidRequestError not_executed; create: rf_1 recorded; sent 1',
};

const encryptionKey = Buffer.alloc(32, 7).toString('base64');

describe.each<[where: string, world: World]>([
  ['in one process', { journal: {}, isRestarted: false }],
  ['in a new process for each call', { journal: {}, isRestarted: true }],
  [
    'with encrypted records of an account',
    { journal: { encryptionKey, account: 'shop-1' }, isRestarted: true },
  ],
])('%s', (_where, world) => {
  it.each(Object.entries(histories))('%s', (_promise, history) => follow(world, history));
});

/** Whether the outcome of an error is that of this request alone. */
const isRejection = (answer: string) => answer === '429' || answer === '403' || answer === 'refused';

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom('call', 'other', 'resume', 'plan'), fc.constantFrom('ok', ...faults)),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom('1h', '23h', '25h')) },
);

it.each(['create', 'sale', 'put'])(
  'whatever happens to it, %s has one effect, its result is returned, and no error denies it',
  async (name) => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 12 }),
      fc.boolean(),
      async (steps, isRestarted) => {
        const { service, take } = start({ journal: {}, isRestarted });
        let known: string | undefined;
        for (const [verb, answer] of steps) {
          if (verb === 'plan' && name !== 'create') continue;
          const before = service.requests.length;
          const end =
            verb === 'other'
              ? await take('other', `${name} ${answer}`)
              : await take(verb === 'call' ? name : verb, answer);
          // Only another body after a final rejection is a new operation.
          expect(service.executed.length).toBeLessThanOrEqual(1);
          if (service.executed.length > 0 && !isRejection(answer))
            expect(end).not.toMatch(/Error not_executed$/);
          if (known !== undefined && verb !== 'resume') expect(service.requests.length).toBe(before);
          if (verb === 'call' && /^(rf_|t|declined)/.test(end)) {
            if (known !== undefined) expect(end).toBe(`${known} recorded`);
            known ??= end.replace(' recorded', '');
          }
        }
      },
    );
    await fc.assert(property, { numRuns: bySize({ short: 30, all: 300, long: 3000 }) });
  },
);
