/** How events reach an endpoint: when, how often, with which signature, and what is recorded of it. */

import { createServer } from 'node:http';
import { memoryStore } from 'payments-client/stores';
import { bodyHmac, standardWebhooks, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { serve } from '../../../test/support/serve.ts';
import { withEndpoint } from './support.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const startsAt = Date.UTC(2026, 0, 1);
/** The wait after each failed attempt. The attempt after the last one is the last. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

test('events arrive in order, signed, each once', async () => {
  const { sandbox, received, ids } = withEndpoint();
  const { id } = sandbox.add('payment_intent', {});
  sandbox.pay(id);
  sandbox.trigger('refund.failed');
  await sandbox.settled();
  expect(received).toEqual(sandbox.events);
  expect(ids).toEqual(sandbox.events.map((event) => event.id));
  expect(sandbox.webhooks.deliveries().map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
});

test('a failed delivery is retried after each wait to the millisecond, then given up', async () => {
  const { sandbox, ids } = withEndpoint(() => new Response('no'.repeat(2_000), { status: 500 }));
  sandbox.add('customer', {});
  await sandbox.settled();
  for (const [index, wait] of waits.entries()) {
    await sandbox.clock.advance(wait - 1);
    expect(ids).toHaveLength(index + 1);
    await sandbox.clock.advance(1);
    expect(ids).toHaveLength(index + 2);
  }
  await sandbox.clock.advance('1 week');
  const [delivery] = sandbox.webhooks.deliveries();
  expect(delivery).toMatchObject({ status: 'failed', dueAt: null });
  const times = waits.map((_, index) =>
    waits.slice(0, index + 1).reduce((sum, wait) => sum + wait, startsAt),
  );
  expect(delivery?.attempts.map(({ at }) => at)).toEqual([startsAt, ...times]);
  expect(delivery?.attempts[0]).toMatchObject({ status: 500, responseText: 'no'.repeat(500) });
  expect(new Set(ids).size).toBe(1);
});

const inTenMinutes = { 'retry-after': new Date(startsAt + 10 * minute).toUTCString() };
const elsewhere = Date.UTC(2031, 5, 1);

/** An answer, and when the next attempt is due after it; `null` for never. */
test.each<readonly [what: string, answer: () => Response, wait: number | null]>([
  ['200', () => new Response(), null],
  ['204', () => new Response(null, { status: 204 }), null],
  ['302, which is not followed', () => Response.redirect('http://shop.example/', 302), 5 * second],
  ['400', () => new Response(null, { status: 400 }), 5 * second],
  [
    'Retry-After in seconds',
    () => new Response(null, { status: 429, headers: { 'retry-after': '600' } }),
    10 * minute,
  ],
  [
    'an earlier Retry-After',
    () => new Response(null, { status: 503, headers: { 'retry-after': '1' } }),
    5 * second,
  ],
  [
    'Retry-After as a date of the clock that signs',
    () => new Response(null, { status: 503, headers: inTenMinutes }),
    10 * minute,
  ],
  [
    'Retry-After as a date, relative to its own Date header',
    () => {
      const date = new Date(elsewhere).toUTCString();
      const headers = { date, 'retry-after': new Date(elsewhere + 10 * minute).toUTCString() };
      return new Response(null, { status: 429, headers });
    },
    10 * minute,
  ],
  [
    'Retry-After of 400 digits, capped at 100 years',
    () => new Response(null, { status: 429, headers: { 'retry-after': '9'.repeat(400) } }),
    100 * 365.25 * 24 * hour,
  ],
  [
    'Retry-After that says nothing',
    () => new Response(null, { status: 429, headers: { 'retry-after': 'soon' } }),
    5 * second,
  ],
  [
    'Retry-After that is past',
    () => new Response(null, { status: 429, headers: { 'retry-after': new Date(0).toUTCString() } }),
    5 * second,
  ],
])('after %s, the next attempt is due in time', async (_, answer, wait) => {
  const sandbox = createSandbox({ startsAt, signedAt: 'clock' });
  sandbox.webhooks.deliverTo(answer);
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(sandbox.webhooks.deliveries()).toMatchObject([
    wait === null ? { status: 'delivered', dueAt: null } : { status: 'pending', dueAt: startsAt + wait },
  ]);
});

test.each([
  ['an Error', new Error('out of tea'), 'out of tea'],
  ['a text', 'out of tea', 'out of tea'],
  ['a failed request', new Error('fetch failed', { cause: new Error('no route') }), 'fetch failed: no route'],
  [
    'a failed request whose cause has only a code',
    new Error('fetch failed', { cause: Object.assign(new Error(), { code: 'EHOSTDOWN' }) }),
    'fetch failed: EHOSTDOWN',
  ],
])('a function, or a scheme, that throws %s fails the attempt, with the reason', async (_, thrown, error) => {
  const fail = () => {
    throw thrown;
  };
  let requests = 0;
  const answer = () => {
    requests += 1;
    return new Response();
  };
  for (const [options, target, reason] of [
    [{}, fail, error],
    [{ scheme: { ...standardWebhooks(), sign: fail } }, answer, `It could not be signed: ${error}`],
  ] as const) {
    const sandbox = createSandbox(options);
    sandbox.webhooks.deliverTo(target);
    sandbox.add('customer', {});
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries()).toMatchObject([
      { status: 'pending', attempts: [{ status: null, error: reason }] },
    ]);
  }
  expect(requests).toBe(0);
});

describe('an attempt without an answer fails', () => {
  const hang = () => new Promise<Response>(() => {});

  async function errorOf(sandbox: Sandbox): Promise<string | null | undefined> {
    await sandbox.settled();
    const [delivery] = sandbox.webhooks.deliveries();
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status: null }] });
    return delivery?.attempts[0]?.error;
  }

  test('after the time-out', async () => {
    const { sandbox } = withEndpoint(hang, { webhookTimeout: 1 });
    sandbox.add('customer', {});
    expect(await errorOf(sandbox)).toMatch(/within 1 ms/);
  });

  test.each(['while it waits', 'from within its endpoint'])(
    'when the sandbox is closed, %s',
    async (when) => {
      const sandbox = createSandbox();
      let arrive = () => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      sandbox.webhooks.deliverTo(() => {
        arrive();
        if (when !== 'while it waits') void sandbox.close();
        return hang();
      });
      sandbox.add('customer', {});
      await arrived;
      await sandbox.close();
      expect(await errorOf(sandbox)).toMatch(/closed/);
    },
  );

  test('when nothing listens at its address', async () => {
    const server = await serve((_, response) => response.end());
    server.close();
    const sandbox = createSandbox();
    sandbox.webhooks.deliverTo(server.url);
    sandbox.add('customer', {});
    expect(await errorOf(sandbox)).toMatch(/ECONNREFUSED/);
  });
});

describe('a receiver with real time', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = () => new Webhooks({ secret }).receiver({ store: memoryStore(), on: {} });

  test.each([
    [undefined, 'delivered'],
    ['present', 'delivered'],
    ['clock', 'pending'],
  ] as const)('signed at the %s, a delivery after 30 days is %s', async (signedAt, status) => {
    const sandbox = createSandbox({ signedAt });
    await sandbox.clock.advance('30 days');
    sandbox.webhooks.deliverTo(receiver().fetch, { secret });
    sandbox.add('customer', {});
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries().map((delivery) => delivery.status)).toEqual([status]);
  });

  test('takes what an endpoint of the options gets over HTTP', async () => {
    const server = createServer(receiver().node);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${Object(server.address()).port}/hook`;
    const sandbox = createSandbox({ webhooks: [{ url, secret }] });
    await sandbox.clock.advance('30 days');
    sandbox.add('customer', {});
    await sandbox.settled();
    const [delivery] = sandbox.webhooks.deliveries();
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null }] });
  });
});

/** Whether each secret verifies a delivery: before, while and after both sign. A header for one signature has the newest. */
test.each([
  ['standardWebhooks', standardWebhooks(), [true, true]],
  ['timestampedHmac', timestampedHmac({ header: 'x-signature' }), [true, true]],
  ['bodyHmac', bodyHmac({ header: 'x-signature' }), [false, true]],
] as const)(
  'with %s, the secrets of a rotation sign together if they can, until the old one is dropped',
  async (...row) => {
    const [, scheme, rotating] = row;
    const sandbox = createSandbox({ scheme });
    const verdicts: boolean[][] = [];
    const secrets: string[] = [];
    const { id, secret } = sandbox.webhooks.deliverTo(async (request) => {
      const body = await request.text();
      const verifies = (one: string) =>
        new Webhooks({ secret: one, scheme }).verify(body, request.headers).then(
          () => true,
          () => false,
        );
      verdicts.push(await Promise.all(secrets.map(verifies)));
      return new Response();
    });
    const tell = async () => {
      sandbox.trigger('customer.created');
      await sandbox.settled();
    };
    secrets.push(secret, sandbox.webhooks.rotateSecret(id));
    await tell();
    // All that came before sign too, not the last one alone.
    secrets.push(sandbox.webhooks.rotateSecret(id));
    await tell();
    sandbox.webhooks.dropOldSecrets(id);
    await tell();
    expect(verdicts).toEqual([rotating, [rotating[0], ...rotating], [false, false, true]]);
    expect(sandbox.webhooks.endpoints()[0]?.secret).toBe(secrets[2]);
    for (const method of ['rotateSecret', 'dropOldSecrets'] as const)
      expect(() => sandbox.webhooks[method]('we_none')).toThrow(/'we_none', which does not exist/);
  },
);

/** Restores a state in which the newest object of a kind was made often, so that there are this many. */
function fill(sandbox: Sandbox, kind: 'event' | 'delivery', count: number, more: object = {}): void {
  const snapshot = structuredClone(sandbox.snapshot());
  const { objects } = Object(snapshot.state);
  const [, newest] = objects[kind].at(-1);
  for (let index = objects[kind].length; index < count; index += 1) {
    const id = `${newest.id}${index}`;
    objects[kind].push([id, { ...newest, ...more, id }]);
  }
  sandbox.restore(snapshot);
}

test('the latest 10,000 events are kept', () => {
  const sandbox = createSandbox();
  const [first, second] = [sandbox.trigger('customer.created').id, sandbox.trigger('customer.created').id];
  fill(sandbox, 'event', 10_000);
  sandbox.add('customer');
  expect(sandbox.events).toHaveLength(10_000);
  expect(sandbox.events[0]?.id).toBe(second);
  expect(() => sandbox.webhooks.replay(first)).toThrow(/expected the id of an event/);
  expect(sandbox.webhooks.replay(second)).toEqual([]);
});

test('the latest 10,000 deliveries are kept, and older ones until they are final', async () => {
  const { sandbox } = withEndpoint(() => new Response(null, { status: 500 }));
  sandbox.add('customer', {});
  await sandbox.settled();
  const [waiting] = sandbox.webhooks.deliveries();
  fill(sandbox, 'delivery', 10_000, { status: 'delivered', dueAt: null });
  sandbox.add('customer', {});
  expect(sandbox.webhooks.replay(waiting?.id ?? '')).toHaveLength(1);
  await sandbox.clock.advance('1 week');
  sandbox.add('customer', {});
  expect(() => sandbox.webhooks.replay(waiting?.id ?? '')).toThrow(/expected the id of/);
  expect(sandbox.webhooks.deliveries()).toHaveLength(10_000);
});

test('an endpoint receives only its event types', async () => {
  const { sandbox, types } = withEndpoint(undefined, {}, ['customer.deleted']);
  sandbox.trigger('customer.restored');
  await sandbox.settled();
  expect(types()).toEqual(['customer.deleted']);
});

test('invoice events are delayed', async () => {
  const { sandbox, types } = withEndpoint(undefined, {}, ['invoice.paid']);
  sandbox.trigger('invoice.paid');
  await sandbox.clock.advance('4 s');
  expect(types()).toEqual([]);
  await sandbox.clock.advance('1 s');
  expect(types()).toEqual(['invoice.paid']);
});

test("a snapshot contains no functions, and the delivery's error says what to do", async () => {
  const { sandbox, received } = withEndpoint();
  const other = createSandbox();
  other.restore(sandbox.snapshot());
  other.add('customer', {});
  await other.settled();
  const [delivery] = other.webhooks.deliveries();
  expect(delivery?.attempts[0]?.error).toMatch(
    /function of this endpoint is not registered in this process. Delete the endpoint, and register/,
  );
  expect(received).toEqual([]);
});

test('an attempt whose delivery was dropped meanwhile leaves nothing behind', async () => {
  const { sandbox, received } = withEndpoint(() => {
    sandbox.restore(empty);
    return new Response();
  });
  const empty = sandbox.snapshot();
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(received).toHaveLength(1);
  expect(sandbox.webhooks.deliveries()).toEqual([]);
});

test('a state restored during an attempt still owes that delivery', async () => {
  let restored = false;
  const { sandbox, ids } = withEndpoint(() => {
    if (!restored) sandbox.restore(owed);
    restored = true;
    return new Response();
  });
  sandbox.add('customer', {});
  const owed = structuredClone(sandbox.snapshot());
  await sandbox.settled();
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{}] }]);
});

test.each([
  ['deleted', 'DELETE', undefined],
  ['disabled', 'POST', { status: 'disabled' }],
])('an endpoint that was %s receives nothing more, and retries end', async (_, method, body) => {
  const { sandbox, endpoint, ids } = withEndpoint(() => new Response(null, { status: 500 }));
  sandbox.add('customer', {});
  await sandbox.settled();
  const path = `${sandbox.url}/v1/webhook_endpoints/${endpoint.id}`;
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
  await sandbox.fetch(
    new Request(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  );
  sandbox.add('customer', {});
  await sandbox.clock.advance('1 week');
  expect(ids).toHaveLength(1);
  expect(sandbox.webhooks.deliveries().map(({ status }) => status)).toEqual(['canceled']);
});

test('a rejected request delivers nothing', async () => {
  const { sandbox, received } = withEndpoint();
  const { customers } = clientOf(sandbox, { fetch: sandbox.fetch });
  await expect(customers.update('cus_none', { email: 'ada@example.com' })).rejects.toThrow();
  await sandbox.settled();
  expect([received, sandbox.webhooks.deliveries()]).toEqual([[], []]);
});

test('a replay redelivers an event, and no fault hits it', async () => {
  const { sandbox, received, ids } = withEndpoint();
  const event = sandbox.trigger('customer.created');
  await sandbox.settled();
  sandbox.faults.inject({ kind: 'drop_delivery' });
  const [first] = sandbox.webhooks.replay(event.id);
  await sandbox.settled();
  expect(received).toEqual([event, event]);
  expect(new Set(ids)).toEqual(new Set([event.id]));
  const [second] = sandbox.webhooks.replay(first?.id ?? '');
  await sandbox.settled();
  expect(received).toHaveLength(3);
  expect(second).toMatchObject({ replayed: true, eventId: event.id });
  expect(() => sandbox.webhooks.replay('evt_none')).toThrow(/expected the id of an event or a delivery/);
});
