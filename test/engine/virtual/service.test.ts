import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import type { Reply } from '../dimensions/network.ts';
import { refundedIntent } from '../merchants.ts';
import {
  type CurrencyOf,
  type Effect,
  ModelService,
  type OnEffect,
  SandboxService,
  type Service,
} from './service.ts';
import { Scheduler } from './time.ts';

const sandbox = createSandbox({ startsAt: 0 });
sandbox.pay(
  sandbox.add('payment_intent', { id: refundedIntent('order-3'), amount: 5000, currency: 'EUR' }).id,
);
const currencyOf: CurrencyOf = () => 'eur';

function refund(key: string, amount: number) {
  return {
    ...intent(key),
    path: '/v1/refunds',
    body: JSON.stringify({ payment_intent_id: refundedIntent('order-3'), amount }),
  };
}

const method = 'POST';

function intent(key: string, fields: object = {}) {
  const body = JSON.stringify({ amount: 1200, currency: 'usd', metadata: { order: 'order-1' }, ...fields });
  return {
    method,
    path: '/v1/payment_intents',
    headers: {
      'idempotency-key': key,
      'x-call': 'a call',
      'content-type': 'application/json',
      authorization: `Bearer ${sandbox.secretKey}`,
    },
    body,
  };
}

function sale(amount: string) {
  const { securityKey } = sandbox;
  const form = {
    security_key: securityKey,
    type: 'sale',
    amount,
    currency: 'eur',
    payment_token: 'tok_1',
    orderid: 'order-2',
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method, path: '/api/transact.php', headers, body: String(new URLSearchParams(form)) };
}

/** Every rule of the model, once. */
const requests = [
  intent('a'),
  intent('a'),
  intent('a', { amount: 1300 }),
  intent('b'),
  intent('c', { customer: 'cus_missing' }),
  intent('c', { customer: 'cus_missing' }),
  intent('c'),
  intent('d', { currency: 'eur' }),
  refund('e', 500),
  refund('e', 500),
  refund('e', 600),
  sale('12.00'),
  sale('12.00'),
  sale('0.50'),
];

async function answersOf(make: (scheduler: Scheduler, onEffect: OnEffect) => Service) {
  const scheduler = new Scheduler();
  const effects: Effect[] = [];
  const replies: Reply[] = [];
  const service = make(scheduler, (effect) => effects.push(effect));
  for (const { headers, ...asked } of requests) {
    scheduler.after(1, () => {
      const request = { ...asked, headers: new Headers(headers), work: 0 };
      service.handle(request, (reply) => replies.push(reply));
    });
    await scheduler.run();
  }
  return { effects, replies: replies.map(comparable) };
}

/** The parts on which both must agree: all but ids, times and texts. */
function comparable({ status, headers, body }: Reply) {
  const type = headers['content-type'];
  const isReplayed = headers['idempotent-replayed'];
  if (!type?.includes('json')) {
    const { authcode, transactionid, ...fields } = Object.fromEntries(new URLSearchParams(body));
    return { status, type, fields, names: [typeof authcode, typeof transactionid] };
  }
  const { error, id, amount, currency, metadata, ...others } = JSON.parse(body);
  const names = Object.keys(others).sort();
  return { status, type, isReplayed, code: error?.code, id: typeof id, amount, currency, metadata, names };
}

test('the model responds as the sandbox does', async () => {
  const model = await answersOf(
    (scheduler, onEffect) => new ModelService(scheduler, 1000, currencyOf, onEffect),
  );
  const real = await answersOf(
    (scheduler, onEffect) => new SandboxService(scheduler, sandbox, currencyOf, onEffect),
  );
  expect(model.replies).toEqual(real.replies);
  expect(model.effects).toEqual(real.effects);
  expect(model.effects).toHaveLength(6);
});
