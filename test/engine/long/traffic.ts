/** A process that calls the service as often as requested, measures its resources, and must then exit by itself. */

import { PaymentsClient, PaymentsError } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { type Measurement, measure, openTimers } from './measure.ts';
import { type Behaviour, behaviour } from './service.ts';

/** The task of the process. */
export interface TrafficTask {
  readonly kind: 'mixed' | 'aborted' | 'failing';
  readonly baseUrls: readonly string[];
  /** How many calls per round; resources are measured after each round. */
  readonly calls: number;
  readonly rounds: number;
}

/** Its final report. */
export interface TrafficReport {
  readonly measurements: readonly Measurement[];
  /** Counts calls by the error's name or `ok`. */
  readonly endings: Readonly<Record<string, number>>;
  /** Node's warnings, such as too many listeners. */
  readonly warnings: readonly string[];
}

const task: TrafficTask = JSON.parse(process.argv[2] ?? '');
const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const clients = task.baseUrls.map(
  (baseUrl) =>
    new PaymentsClient({
      baseUrl,
      secretKey: 'sk_v1_test_soak',
      securityKey: 'soak',
      timeout: 10_000,
      // One call in twelve of the others is retried.
      retryBudget: task.kind === 'failing' ? 100 : 1_000_000,
    }),
);
const narrow = new PaymentsClient({
  baseUrl: task.baseUrls[0],
  secretKey: 'sk_v1_test_soak',
  maxConcurrency: 1,
});
const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
const shared = new AbortController().signal;
const intent = { amount: 1200, currency: 'usd' };
const sale = { amount: '12.00', payment_token: 'tok_1' };
const event = JSON.stringify({
  id: 'evt_1',
  type: 'soak.goes_on',
  api_version: '2026-01-31',
  created: '2026-01-31T12:00:00Z',
  livemode: false,
  data: { object: {} },
  operations: [],
});

const endings: Record<string, number> = {};

async function settle(call: PromiseLike<unknown>): Promise<void> {
  const ending = await Promise.resolve(call).then(
    () => 'ok',
    (error: unknown) => {
      if (!(error instanceof PaymentsError)) throw error;
      return error.name;
    },
  );
  endings[ending] = (endings[ending] ?? 0) + 1;
}

const as = (what: Behaviour) => ({ headers: { [behaviour]: what }, signal: shared });

type Call = (payments: PaymentsClient, number: number) => PromiseLike<unknown>;

/** An hour of a busy backend, with successes and failures. */
const mixed: readonly Call[] = [
  (payments, number) =>
    payments.paymentIntents.create(intent, { operationId: `order-${number}`, ...as('answer') }),
  (payments) => payments.customers.retrieve('cus_1', as('answer')),
  (payments, number) =>
    payments.paymentIntents.create(intent, { operationId: `order-${number}`, ...as('failOnce') }),
  (payments, number) =>
    payments.paymentIntents.create(intent, { operationId: `order-${number}`, ...as('refuse') }),
  (payments) => payments.transact.sale(sale, as('answer')),
  (payments) => payments.transact.sale(sale, as('break')),
  (payments) => payments.customers.retrieve('cus_1', { ...as('never'), timeout: 20, maxRetries: 0 }),
  (payments) => payments.customers.retrieve('cus_1', { ...as('half'), timeout: 20, maxRetries: 0 }),
  (payments) => payments.customers.retrieve('', as('answer')),
  (payments) => walk(payments, Number.POSITIVE_INFINITY),
  (payments) => walk(payments, 60),
  async () => webhooks.verify(event, await webhooks.sign(event)),
];

async function walk(payments: PaymentsClient, end: number): Promise<void> {
  let seen = 0;
  for await (const _ of payments.customers.list({ limit: 50 }, as('answer'))) {
    seen += 1;
    if (seen === end) return;
  }
}

/** Calls aborted at every stage: before they start, while they connect or send, or while they wait for a retry. */
const aborted: readonly Call[] = [
  (payments) => giveUpAfter(0, (signal) => payments.customers.retrieve('cus_1', { signal })),
  (payments) => giveUpAfter(2, (signal) => payments.customers.retrieve('cus_1', { ...as('never'), signal })),
  (payments) => giveUpAfter(6, (signal) => payments.customers.retrieve('cus_1', { ...as('never'), signal })),
  (payments) => giveUpAfter(20, (signal) => payments.customers.retrieve('cus_1', { ...as('half'), signal })),
  (payments, number) =>
    giveUpAfter(12, (signal) => {
      const options = { operationId: `order-${number}`, ...as('busy'), signal };
      return payments.paymentIntents.create(intent, options);
    }),
  (payments) => payments.customers.retrieve('cus_1', { signal: AbortSignal.abort() }),
  (payments) =>
    giveUpAfter(30, (signal) => {
      return payments.customers.list({}, { ...as('firstPage'), signal }).toArray({ max: 1000 });
    }),
];

/** An outage: the budget of retries is empty soon, and some calls are shed. */
const failing: readonly Call[] = [
  (payments) => payments.customers.retrieve('cus_1', as('sick')),
  (payments, number) =>
    payments.paymentIntents.create(intent, { operationId: `order-${number % 50}`, ...as('sick') }),
  (payments) => payments.customers.list({}, as('sick')),
  (payments) => payments.transact.sale(sale, as('break')),
  (payments) => payments.customers.retrieve('cus_1', as('break')),
  (payments) => payments.customers.retrieve('cus_1', { ...as('never'), timeout: 20 }),
  () => Promise.allSettled([1, 2].map(() => narrow.customers.retrieve('cus_1', as('sick')))),
];

async function giveUpAfter<T>(rounds: number, call: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
  const controller = new AbortController();
  const result = call(controller.signal);
  for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  controller.abort();
  return result;
}

const concurrency = 32;
let number = 0;

async function runRound(calls: readonly Call[]): Promise<void> {
  const end = number + task.calls;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (number < end) {
        number += 1;
        const [call, payments] = [calls[number % calls.length], clients[number % clients.length]];
        if (call === undefined || payments === undefined) throw new Error('there is nothing to call');
        await settle(call(payments, number));
      }
    }),
  );
}

const measurements: Measurement[] = [];
for (let round = 0; round < task.rounds; round += 1) {
  await runRound({ mixed, aborted, failing }[task.kind]);
  measurements.push({ timers: openTimers(), ...(await measure(shared)) });
}
const report: TrafficReport = { measurements, endings, warnings };
process.send?.(report, () => process.disconnect());
