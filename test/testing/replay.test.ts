import { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client/sandbox';
import { type ReplayEntry, type ReplayStep, replay } from 'payments-client/testing';
import { describe, expect, it } from 'vitest';

const tea = { amount: 5500, currency: 'USD' };
const create: ReplayEntry = {
  n: 1,
  request: 'POST /v1/payment_intents',
  key: 'pc1:paymentIntents.create:order-1042',
  body: tea,
  status: 200,
};
const confirm: ReplayEntry = {
  n: 2,
  request: 'POST /v1/payment_intents/@1.payment_intent/confirm',
  key: 'pc1:paymentIntents.confirm:order-1042',
  body: { payment_method: 'pm_card_visa' },
  status: 200,
};

function shopOf({ url: baseUrl, secretKey, fetch }: Sandbox): PaymentsClient {
  return new PaymentsClient({ baseUrl, secretKey, fetch, maxRetries: 0 });
}

/** A shop's own code: one function for each of its requests. */
function appOf(sandbox: Sandbox): (step: ReplayStep) => Promise<unknown> {
  const payments = shopOf(sandbox);
  return ({ path, operationId = '' }) => {
    const [, id] = /payment_intents\/(\w+)\/confirm/.exec(path) ?? [];
    return id === undefined
      ? payments.paymentIntents.create(tea, { operationId })
      : payments.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, { operationId });
  };
}

it('sends the requests again as recorded', async () => {
  const sandbox = createSandbox();
  const { idOf } = await replay(sandbox, [create, confirm]);
  expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'charged_once', net: 5500, attempts: 1 });
  expect(sandbox.get('payment_intent', idOf('@1.payment_intent'))).toMatchObject({ status: 'succeeded' });
  expect(idOf('@2.charge')).toMatch(/^ch_/);
});

it('works on a sandbox that was used before', async () => {
  const sandbox = createSandbox();
  await shopOf(sandbox).paymentIntents.create(tea, { operationId: 'order-1' });
  sandbox.trigger('refund.succeeded');
  const { idOf } = await replay(sandbox, [create, confirm]);
  expect(sandbox.get('payment_intent', idOf('@1.payment_intent'))).toMatchObject({ status: 'succeeded' });
  expect(() => idOf('@1.refund')).toThrow("got '@1.refund'");
});

it('numbers several objects of a kind that one entry made', async () => {
  const sandbox = createSandbox();
  const { idOf } = await replay(sandbox, [
    { n: 0, command: 'add', args: { kind: 'price', fields: { id: 'price_1' } } },
    { n: 1, command: 'add', args: { kind: 'customer' } },
    {
      n: 2,
      request: 'POST /v1/subscriptions',
      body: { customer: '@1.customer', items: [{ price: 'price_1' }] },
      status: 200,
    },
    { n: 3, command: 'pay', args: { id: '@2.invoice' } },
    { n: 4, command: 'clock.advance', args: { advance: '70 days' } },
  ]);
  const [first, second] = [
    sandbox.get('invoice', idOf('@4.invoice')),
    sandbox.get('invoice', idOf('@4.invoice#2')),
  ];
  expect(first?.created_at).toBeLessThan(second?.created_at ?? 0);
  expect(() => idOf('@4.invoice#3')).toThrow("got '@4.invoice#3'");
});

it('advances the clock as a running one did', async () => {
  const sandbox = createSandbox({ startsAt: 0 });
  await replay(sandbox, [create, { ...confirm, after: 1_500 }]);
  expect(sandbox.clock.now()).toBe(1_500);
});

it('waits for the deliveries of each entry, and responds as the endpoint did', async () => {
  const sandbox = createSandbox();
  await replay(sandbox, [
    { n: 0, endpoint: ['payment_intent.succeeded'], responses: { 'payment_intent.succeeded': [500, 0] } },
    create,
    confirm,
    { n: 3, command: 'clock.advance', args: { advance: '1 hour' } },
    { n: 4, command: 'webhooks.replay', args: { id: '@2.event' } },
  ]);
  const deliveries = sandbox.webhooks.deliveries();
  expect(deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([
    [500, null, 200],
    [200],
  ]);
});

it('returns when the endpoints of the shop have handled the deliveries', async () => {
  const sandbox = createSandbox();
  const handled: unknown[] = [];
  sandbox.webhooks.deliverTo(async (request) => {
    // More steps than the replay itself takes.
    for (let step = 0; step < 10_000; step += 1) await Promise.resolve();
    handled.push(Object(await request.json()).type);
    return new Response();
  });
  await replay(sandbox, [create]);
  expect(handled).toEqual(['payment_intent.created']);
});

it('does not hang where a fault holds a request', async () => {
  const sandbox = createSandbox();
  const hold = { n: 2, command: 'faults.inject', args: { kind: 'hold' } };
  await replay(sandbox, [create, hold, { ...confirm, n: 3 }]);
  expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'charged_once' });
});

describe('with an app', () => {
  it("makes each request with the shop's own code, with the ids of this sandbox", async () => {
    const sandbox = createSandbox();
    const steps: ReplayStep[] = [];
    const app = appOf(sandbox);
    const { idOf } = await replay(sandbox, [create, confirm], {
      app: (step) => {
        steps.push(step);
        return app(step);
      },
    });
    const path = `/v1/payment_intents/${idOf('@1.payment_intent')}/confirm`;
    expect(steps).toMatchObject([
      { n: 1, method: 'POST', path: '/v1/payment_intents', operationId: 'order-1042', body: tea },
      { n: 2, method: 'POST', path, operationId: 'order-1042' },
    ]);
    expect(sandbox.requests).toHaveLength(2);
    expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'charged_once' });
  });

  it('gives a form a new token of the recorded test card', async () => {
    const sandbox = createSandbox();
    const { url: baseUrl, securityKey, secretKey, fetch } = sandbox;
    const { transact } = new PaymentsClient({ baseUrl, secretKey, securityKey, fetch, maxRetries: 0 });
    const form = { type: 'sale', amount: '12.00', payment_token: '[card:stolenCard]' };
    await replay(sandbox, [{ n: 1, request: 'POST /api/transact.php', form, status: 200 }], {
      app: ({ form: { amount = '', payment_token = '' } = {} }) => transact.sale({ amount, payment_token }),
    });
    expect(sandbox.transactions).toMatchObject([{ responseCode: '252' }]);
  });

  it('lets it throw where the recorded request failed', async () => {
    const sandbox = createSandbox();
    const drop = { n: 2, command: 'faults.inject', args: { kind: 'drop_reply' } };
    const lost = { ...confirm, n: 3, status: null };
    await replay(sandbox, [create, drop, lost], { app: appOf(sandbox) });
    expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'unknown_to_app' });
  });

  it('lets it read before it writes', async () => {
    const sandbox = createSandbox();
    const app = async () => {
      const payments = shopOf(sandbox);
      await payments.customers.list();
      return payments.paymentIntents.create(tea, { operationId: 'order-1042' });
    };
    await expect(replay(sandbox, [create], { app })).resolves.toBeDefined();
  });

  it('fails with its error where the recorded request succeeded', async () => {
    const sandbox = createSandbox();
    const app = async (step: ReplayStep) => {
      await appOf(sandbox)(step);
      throw new TypeError('The shop has a defect.');
    };
    await expect(replay(sandbox, [create], { app })).rejects.toThrow('The shop has a defect.');
  });

  it('fails when it sends no request', async () => {
    const reason = new Error('The order is closed.');
    const app = () => {
      throw reason;
    };
    await expect(replay(createSandbox(), [create], { app })).rejects.toMatchObject({
      message:
        'replay: entry 1: expected app to send POST /v1/payment_intents, got no request. Send it in app, and await its response.',
      cause: reason,
    });
  });

  it('fails when it sends another request', async () => {
    const sandbox = createSandbox();
    const app = () => shopOf(sandbox).customers.create({ email: 'ada@example.com' });
    await expect(replay(sandbox, [create], { app })).rejects.toThrow(
      'replay: entry 1: expected app to send POST /v1/payment_intents, got POST /v1/customers. Make the request that the step names.',
    );
  });

  it('fails when it sends the request twice', async () => {
    const sandbox = createSandbox();
    const app = async (step: ReplayStep) => {
      await appOf(sandbox)(step);
      await appOf(sandbox)(step);
    };
    await expect(replay(sandbox, [create], { app })).rejects.toThrow(
      'expected app to send POST /v1/payment_intents once, got 2 requests. Turn retries off: each attempt is an entry.',
    );
  });

  it('sends the requests of the dashboard itself', async () => {
    const sandbox = createSandbox();
    const refund = { n: 3, request: 'POST /v1/refunds', body: { charge_id: '@2.charge' }, status: 200 };
    await replay(sandbox, [create, confirm, { ...refund, from: 'dashboard' }], { app: appOf(sandbox) });
    expect(sandbox.story('order-1042')).toMatchObject({ net: 0 });
  });
});

describe('an entry that does not fit', () => {
  const refused: readonly (readonly [name: string, entry: unknown, message: string])[] = [
    [
      'a reference to nothing',
      { ...confirm, request: 'POST /v1/refunds/@1.refund/cancel' },
      "got '@1.refund'",
    ],
    [
      'another status',
      { ...confirm, status: 402 },
      '/confirm to get the recorded status 402, got 200. The replay differs from the recording from here on, or before.',
    ],
    [
      'an unknown command',
      { n: 2, command: 'paint', args: {} },
      'replay.entries: name: expected one of pay, trigger',
    ],
    [
      'wrong arguments',
      { n: 2, command: 'pay', args: { id: '@1.payment_intent', methd: 'x' } },
      'replay.entries: methd: expected one of id, payment_method',
    ],
    [
      'an unknown card',
      { n: 2, page: 'cs_1', card: 'gold', status: 303 },
      'expected the name of a test card',
    ],
    [
      'an unknown page',
      { n: 2, page: 'cs_1', card: 'fullMatch', status: 303 },
      'expected the page to get the recorded status 303, got 404',
    ],
    ['an unknown kind of entry', { n: 2 }, 'expected a request, a command, a page or an endpoint'],
  ];

  it.each(refused)('fails: %s', async (_, entry, message) => {
    const entries: readonly ReplayEntry[] = JSON.parse(JSON.stringify([create, entry]));
    await expect(replay(createSandbox(), entries)).rejects.toThrow(message);
  });
});

it('repeats a read that somebody wrote', async () => {
  const read = { n: 2, request: 'GET /v1/payment_intents/@1.payment_intent', status: 200 };
  await expect(replay(createSandbox(), [create, read])).resolves.toBeDefined();
});

it.each([
  ['an unknown option', { ap: () => {} }, 'replay.ap'],
  ['an app that is no function', { app: 'shop' }, 'replay.app: expected a function'],
])('refuses %s', async (_, given, message) => {
  const options: object = given;
  await expect(replay(createSandbox(), [], options)).rejects.toThrow(message);
});
