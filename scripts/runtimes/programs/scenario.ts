/** The scenario that every runtime runs: a merchant's first payments, with failures. */

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
import { countFetches } from './count-fetches.ts';
import { brokenKinds, type Observations, type Service } from './service.ts';

/** Creates every client, including the one in a page. */
const makeClient = (options: PaymentsClientOptions) =>
  new PaymentsClient({ ...options, dangerouslyAllowBrowser: true });

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function summarize(error: unknown): Observations {
  if (!(error instanceof PaymentsError)) return { unexpected: String(error) };
  return { name: error.name, outcome: error.outcome };
}

async function createTwice(payments: PaymentsClient): Promise<Observations> {
  const create = () =>
    payments.paymentIntents
      .create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1042' })
      .withResponse();
  const first = await create();
  const second = await create();
  await payments.paymentIntents.confirm(
    first.data.id,
    { payment_method: 'pm_1' },
    { operationId: 'order-1042' },
  );
  return {
    amount: first.data.amount,
    hasSameId: first.data.id === second.data.id,
    replayed: [first.response.idempotentReplayed, second.response.idempotentReplayed],
  };
}

/** Loses the reply twice: once without retries, once with the SDK's retry. */
async function refundWithLostReplies(payments: PaymentsClient): Promise<Observations> {
  const [intent] = await payments.paymentIntents.list({ limit: 1 }).toArray({ max: 1 });
  const params = { payment_intent_id: intent?.id ?? '', amount: 500 };
  const options = { operationId: 'return-77' };
  const lost = await failureOf(payments.refunds.create(params, { ...options, maxRetries: 0 }));
  const { data, response } = await payments.refunds.create(params, options).withResponse();
  return {
    lost: summarize(lost),
    amount: data.amount,
    attempts: response.attempts,
    replayed: response.idempotentReplayed,
  };
}

async function listProducts(payments: PaymentsClient): Promise<Observations> {
  const names = ['Assam', 'Ceylon', 'Darjeeling', 'Keemun', 'Oolong'];
  await Promise.all(names.map((name) => payments.products.create({ name })));
  const ids = new Set<string>();
  for await (const { id } of payments.products.list({ limit: 2 })) ids.add(id);
  return { products: ids.size };
}

async function sell(payments: PaymentsClient, multipart: Transact): Promise<Observations> {
  const buyer = { email: 'ada@example.com', ipaddress: '192.0.2.7', address1: '1 Tea Street', zip: '90210' };
  const sale = { amount: '12.00', payment_token: 'tok_1', ...buyer };
  const { approved, avs, risk } = await payments.transact.sale(sale);
  // Its reply is lost over a kept-alive connection. The form endpoint has no keys, so a retry is forbidden.
  const lost = await failureOf(payments.transact.sale(sale));
  // Text that is not ASCII survives the round trip.
  const multipartSale = await multipart.sale({ ...sale, orderid: 'Tee für 2' });
  return {
    approved,
    avs: avs?.code,
    risk: risk?.level,
    lost: summarize(lost),
    multipart: { approved: multipartSale.approved, orderid: multipartSale.fields['orderid'] },
  };
}

async function retrieveMissing(payments: PaymentsClient): Promise<Observations> {
  const error = await failureOf(payments.refunds.retrieve('rf_none'));
  const hasItsClasses = error instanceof NotFoundError && error instanceof ApiError;
  return { ...summarize(error), hasItsClasses, isError: error instanceof Error };
}

async function callClosedPort({ closedUrl, secretKey }: Service): Promise<Observations> {
  const payments = makeClient({ baseUrl: closedUrl, secretKey, maxRetries: 0 });
  return summarize(
    await failureOf(payments.customers.create({ first_name: 'Ada' }, { operationId: 'customer-1' })),
  );
}

/** A refund is retried after a response that breaks off or is damaged; a sale is not. */
async function readBroken({ brokenUrl, secretKey, securityKey }: Service): Promise<Observations> {
  const results = brokenKinds.map(async (kind) => {
    // The Edge runtime of Next.js reports no damaged body, and waits for its end.
    const payments = makeClient({ baseUrl: `${brokenUrl}/${kind}`, secretKey, securityKey, timeout: 5_000 });
    const refund = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: crypto.randomUUID() });
    const { response } = await refund.withResponse();
    const sale = await failureOf(payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }));
    const isOfNetwork = sale instanceof ConnectionError || sale instanceof TimeoutError;
    return [
      kind,
      {
        attempts: response.attempts,
        sale: { isOfNetwork, outcome: sale instanceof PaymentsError ? sale.outcome : String(sale) },
      },
    ];
  });
  return Object.fromEntries(await Promise.all(results));
}

async function abortAndTimeOut({ baseUrl, secretKey }: Service): Promise<Observations> {
  const never = (): Promise<Response> => new Promise(() => {});
  const payments = makeClient({ baseUrl, secretKey, fetch: never, maxRetries: 0 });
  const controller = new AbortController();
  const call = payments.refunds.create(
    { charge_id: 'ch_1' },
    { operationId: 'return-78', signal: controller.signal },
  );
  const failure = failureOf(call);
  controller.abort();
  const timeout = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'return-78', timeout: 1 });
  return { aborted: summarize(await failure), timedOut: summarize(await failureOf(timeout)) };
}

async function verify({ delivery }: Service): Promise<Observations> {
  const webhooks = new Webhooks({ secret: delivery.secret });
  const event = await webhooks.verify(delivery.body, delivery.headers);
  const forged = await failureOf(webhooks.verify(`${delivery.body} `, delivery.headers));
  return { type: event.type, forged: forged instanceof WebhookVerificationError ? forged.reason : forged };
}

/** Runs one payment and one delivery. A browser resends interrupted requests itself, so the other steps would fail. */
export async function runInPage(service: Service): Promise<Observations> {
  const { baseUrl, secretKey } = service;
  const before = countFetches();
  const intent = await createTwice(makeClient({ baseUrl, secretKey }));
  return { usesFetch: countFetches() > before, intent, webhook: await verify(service) };
}

/**
 * Runs the whole scenario against one service.
 *
 * @param fetch The transport of the requests. Default: the SDK's choice.
 */
export async function runScenario(service: Service, fetch?: Fetch): Promise<Observations> {
  const { baseUrl, secretKey, securityKey } = service;
  const options = { baseUrl, securityKey, ...(fetch === undefined ? {} : { fetch }) };
  const payments = makeClient({ ...options, secretKey });
  const multipart = new Transact({ ...options, formEncoding: 'multipart' });
  const before = countFetches();
  const intent = await createTwice(payments);
  return {
    usesFetch: countFetches() > before,
    intent,
    refund: await refundWithLostReplies(payments),
    list: await listProducts(payments),
    sale: await sell(payments, multipart),
    notFound: await retrieveMissing(payments),
    refused: await callClosedPort(service),
    broken: await readBroken(service),
    interrupted: await abortAndTimeOut(service),
    webhook: await verify(service),
  };
}
