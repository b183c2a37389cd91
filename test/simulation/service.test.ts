import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { Scheduler } from './scheduler.ts';
import { type Effect, ModelService, type Reply, SandboxService, type Service } from './service.ts';

const sandbox = createSandbox({ startsAt: 0 });

function intent(key: string, fields: object = {}) {
  const body = JSON.stringify({ amount: 1200, currency: 'usd', metadata: { order: 'order-1' }, ...fields });
  return {
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
    payment_token: 'tok_1',
    orderid: 'order-2',
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { path: '/api/transact.php', headers, body: String(new URLSearchParams(form)) };
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
  sale('12.00'),
  sale('12.00'),
  sale('0.50'),
];

async function answersOf(make: (scheduler: Scheduler, onEffect: (effect: Effect) => void) => Service) {
  const scheduler = new Scheduler();
  const effects: Effect[] = [];
  const replies: Reply[] = [];
  const service = make(scheduler, (effect) => effects.push(effect));
  for (const { path, headers, body } of requests) {
    scheduler.after(1, () => {
      const request = { path, headers: new Headers(headers), body, work: 0 };
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
  const model = await answersOf((scheduler, onEffect) => new ModelService(scheduler, 1000, onEffect));
  const real = await answersOf((scheduler, onEffect) => new SandboxService(scheduler, sandbox, onEffect));
  expect(model.replies).toEqual(real.replies);
  expect(model.effects).toEqual(real.effects);
  expect(model.effects).toHaveLength(4);
});
