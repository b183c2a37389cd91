/** The scenario of every runtime: a merchant's first payments, with failures. Throws at the first unexpected result. */

import {
  ApiError,
  ConnectionError,
  type Fetch,
  NotFoundError,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  TimeoutError,
  Transact,
  WebhookVerificationError,
} from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { brokenKinds, type Service, webhookSecret } from './service.ts';

let fetches = 0;
const { fetch: original } = globalThis;
globalThis.fetch = (...args) => {
  fetches += 1;
  return original(...args);
};

/** Creates every client, including the one in a page. */
const makeClient = (options: PaymentsClientOptions) =>
  new PaymentsClient({ ...options, dangerouslyAllowBrowser: true });

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** Awaits a call that fails, and returns the name of its error and the outcome that it states. */
async function failureOf(call: PromiseLike<unknown>): Promise<readonly [name: string, outcome: string]> {
  try {
    await call;
  } catch (error) {
    return error instanceof PaymentsError ? [error.name, error.outcome] : [String(error), 'unexpected'];
  }
  return ['success', 'unexpected'];
}

async function createTwice(payments: PaymentsClient): Promise<void> {
  const by = { operationId: 'order-1042' };
  const create = () => payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, by).withResponse();
  const [first, second] = [await create(), await create()];
  await payments.paymentIntents.confirm(first.data.id, { payment_method: 'pm_1' }, by);
  expectEqual(first.data.amount, 1200, 'amount');
  expectEqual(second.data.id, first.data.id, 'id of the repeated payment');
  const replayed = [first, second].map(({ response }) => response.idempotentReplayed);
  expectEqual(replayed, [false, true], 'replayed');
}

/** Loses the reply twice: once without retries, once with the SDK's retry. */
async function refundWithLostReplies(payments: PaymentsClient): Promise<void> {
  const [intent] = await payments.paymentIntents.list({ limit: 1 }).toArray({ max: 1 });
  const params = { payment_intent_id: intent?.id ?? '', amount: 500 };
  const options = { operationId: 'return-77' };
  const lost = payments.refunds.create(params, { ...options, maxRetries: 0 });
  expectEqual(await failureOf(lost), ['ConnectionError', 'unknown'], 'lost reply of a refund');
  const { data, response } = await payments.refunds.create(params, options).withResponse();
  const { attempts, idempotentReplayed } = response;
  expectEqual([data.amount, attempts, idempotentReplayed], [500, 2, true], 'refund after lost replies');
}

async function listProducts(payments: PaymentsClient): Promise<void> {
  const names = ['Assam', 'Ceylon', 'Darjeeling', 'Keemun', 'Oolong'];
  await Promise.all(names.map((name) => payments.products.create({ name })));
  const ids = new Set<string>();
  for await (const { id } of payments.products.list({ limit: 2 })) ids.add(id);
  expectEqual(ids.size, 5, 'listed products');
}

async function sell(payments: PaymentsClient, multipart: Transact): Promise<void> {
  const buyer = { email: 'ada@example.com', ipaddress: '192.0.2.7', address1: '1 Tea Street', zip: '90210' };
  const sale = { amount: '12.00', payment_token: 'tok_1', ...buyer };
  const { approved, avs, risk } = await payments.transact.sale(sale);
  expectEqual([approved, avs?.code, risk?.level], [true, 'Y', 'low'], 'sale');
  // Its reply is lost over a kept-alive connection. The form endpoint has no keys, so a retry is forbidden.
  const lost = await failureOf(payments.transact.sale(sale));
  expectEqual(lost, ['ConnectionError', 'unknown'], 'lost reply of a sale');
  // Text that is not ASCII survives the round trip.
  const sold = await multipart.sale({ ...sale, orderid: 'Tee für 2' });
  expectEqual([sold.approved, sold.fields['orderid']], [true, 'Tee für 2'], 'multipart sale');
}

async function retrieveMissing(payments: PaymentsClient): Promise<void> {
  const error: unknown = await payments.refunds.retrieve('rf_none').catch((reason: unknown) => reason);
  const classes = [NotFoundError, ApiError, PaymentsError, Error].map((one) => error instanceof one);
  expectEqual(classes, [true, true, true, true], 'classes of a missing refund');
  expectEqual(error instanceof PaymentsError && error.outcome, 'not_an_operation', 'missing refund');
}

/** Retries a refund after a response that breaks off or is damaged, but not a sale. */
async function readBroken({ brokenUrl, secretKey, securityKey }: Service, kind: string): Promise<void> {
  // The Edge runtime of Next.js reports no damaged body, and waits for its end.
  const payments = makeClient({ baseUrl: `${brokenUrl}/${kind}`, secretKey, securityKey, timeout: 5_000 });
  const refund = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: crypto.randomUUID() });
  expectEqual((await refund.withResponse()).response.attempts, 2, `attempts after ${kind}`);
  const sale = payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const error: unknown = await sale.catch((reason: unknown) => reason);
  if (!(error instanceof ConnectionError || error instanceof TimeoutError)) throw error;
  expectEqual(error.outcome, 'unknown', `sale after ${kind}`);
}

async function abortAndTimeOut({ baseUrl, secretKey }: Service): Promise<void> {
  const fetch = (): Promise<Response> => new Promise(() => {});
  const payments = makeClient({ baseUrl, secretKey, fetch, maxRetries: 0 });
  const controller = new AbortController();
  const refund = (options: { signal?: AbortSignal; timeout?: number }) =>
    failureOf(
      payments.refunds.create({ charge_id: 'ch_1' }, { operationId: crypto.randomUUID(), ...options }),
    );
  const aborted = refund({ signal: controller.signal });
  controller.abort();
  expectEqual(await aborted, ['RequestAbortedError', 'not_executed'], 'aborted');
  expectEqual(await refund({ timeout: 1 }), ['TimeoutError', 'unknown'], 'timed out');
}

async function verify({ delivery: { body, headers } }: Service): Promise<void> {
  const webhooks = new Webhooks({ secret: webhookSecret });
  expectEqual((await webhooks.verify(body, headers)).type, 'refund.failed', 'delivery');
  const forged: unknown = await webhooks.verify(`${body} `, headers).catch((reason: unknown) => reason);
  expectEqual(forged instanceof WebhookVerificationError && forged.reason, 'no_match', 'forged delivery');
}

/** Runs one payment and one delivery. A browser resends interrupted requests itself, so the other steps would fail. */
export async function runInPage(service: Service): Promise<string> {
  const before = fetches;
  await createTwice(makeClient({ baseUrl: service.baseUrl, secretKey: service.secretKey }));
  const transport = fetches > before ? 'fetch' : 'node:http';
  await verify(service);
  return transport;
}

/**
 * Runs the whole scenario. Returns how calls were sent, and the outcome that a refused connection states: a runtime that does
 * not report the refusal leaves it unknown.
 *
 * @param fetch The transport of the requests. Default: the SDK's choice.
 */
export async function runScenario(service: Service, fetch?: Fetch): Promise<string> {
  const { baseUrl, secretKey, securityKey, closedUrl } = service;
  const options = { baseUrl, securityKey, ...(fetch === undefined ? {} : { fetch }) };
  const payments = makeClient({ ...options, secretKey });
  const before = fetches;
  await createTwice(payments);
  const transport = fetches > before ? 'fetch' : 'node:http';
  await refundWithLostReplies(payments);
  await listProducts(payments);
  await sell(payments, new Transact({ ...options, formEncoding: 'multipart' }));
  await retrieveMissing(payments);
  const closed = makeClient({ baseUrl: closedUrl, secretKey, maxRetries: 0 });
  const call = closed.customers.create({ first_name: 'Ada' }, { operationId: 'customer-1' });
  const [name, refused] = await failureOf(call);
  expectEqual(name, 'ConnectionError', 'refused connection');
  await Promise.all(brokenKinds.map((kind) => readBroken(service, kind)));
  await abortAndTimeOut(service);
  await verify(service);
  return `${fetch === undefined ? transport : 'in process'}, refused: ${refused}`;
}
