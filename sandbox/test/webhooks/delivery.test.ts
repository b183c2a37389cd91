import { createServer } from 'node:http';
import { ConfigurationError, PaymentsClient } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { bodyHmac, standardWebhooks, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { idOf, read, refusal, start } from '../../../test/support/sandbox-requests.ts';
import { withEndpoint } from './support.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

test('events arrive in order, signed, each once', async () => {
  const { sandbox, received, ids, types } = withEndpoint();
  const { id } = sandbox.add('payment_intent', {});
  sandbox.pay(id);
  sandbox.trigger('refund.failed');
  await sandbox.settled();
  expect(types()).toEqual(sandbox.events.map(({ type }) => type));
  expect(received).toEqual(sandbox.events);
  expect(ids).toEqual(sandbox.events.map((event) => event.id));
  expect(sandbox.webhooks.deliveries().map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
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

test('a receiver function accepts deliveries without a network', async () => {
  const sandbox = createSandbox();
  const handled: string[] = [];
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = new Webhooks({ secret }).receiver({
    store: memoryStore(),
    on: { 'customer.created': (event) => handled.push(event.data.object.id) },
  });
  sandbox.webhooks.deliverTo(receiver.fetch, { secret });
  const { id } = sandbox.add('customer', {});
  await sandbox.settled();
  expect(handled).toEqual([id]);
});

test.each([
  [undefined, 'delivered'],
  ['present', 'delivered'],
  ['clock', 'pending'],
] as const)(
  'signed at the %s, a delivery after 30 days is %s by a receiver with real time',
  async (signedAt, status) => {
    const sandbox = createSandbox({ signedAt });
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const receiver = new Webhooks({ secret }).receiver({ store: memoryStore(), on: {} });
    await sandbox.clock.advance('30 days');
    sandbox.webhooks.deliverTo(receiver.fetch, { secret });
    sandbox.add('customer', {});
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries().map((delivery) => delivery.status)).toEqual([status]);
  },
);

test('a delivery is signed with real time, to a URL and to a function', async () => {
  const sandbox = createSandbox();
  const signed = { address: 0, function: 0 };
  const server = createServer(({ headers }, response) => {
    signed.address = Number(headers['webhook-timestamp']) * second;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await sandbox.clock.advance('30 days');
  const address = server.address();
  sandbox.webhooks.deliverTo(`http://127.0.0.1:${Object(address).port}/`);
  sandbox.webhooks.deliverTo(({ headers }) => {
    signed.function = Number(headers.get('webhook-timestamp')) * second;
    return new Response();
  });
  sandbox.add('customer');
  await sandbox.settled();
  expect(Math.abs(signed.address - Date.now())).toBeLessThan(hour);
  expect(Math.abs(signed.function - Date.now())).toBeLessThan(hour);
});

test('endpoints of the options receive deliveries over HTTP', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const handled: string[] = [];
  const receiver = new Webhooks({ secret }).receiver({
    store: memoryStore(),
    on: { 'customer.created': (event) => handled.push(event.data.object.id) },
  });
  const server = createServer(receiver.node);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const sandbox = createSandbox({ webhooks: [{ url: `http://127.0.0.1:${port}/hook`, secret }] });
    const { id } = sandbox.add('customer', {});
    await sandbox.settled();
    expect(handled).toEqual([id]);
    const [delivery] = sandbox.webhooks.deliveries();
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null }] });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a failed delivery is retried with back-off, then given up', async () => {
  const { sandbox, ids } = withEndpoint(() => new Response('no'.repeat(2_000), { status: 500 }));
  const begin = sandbox.clock.now();
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(ids).toHaveLength(1);
  await sandbox.clock.advance('4 s');
  expect(ids).toHaveLength(1);
  await sandbox.clock.advance('1 week');
  const [delivery] = sandbox.webhooks.deliveries();
  const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
  const times = [begin];
  for (const wait of waits) times.push((times.at(-1) ?? 0) + wait);
  expect(delivery?.attempts.map(({ at }) => at)).toEqual(times);
  expect(delivery).toMatchObject({ status: 'failed', dueAt: null });
  expect(delivery?.attempts[0]).toMatchObject({ status: 500, responseText: 'no'.repeat(500) });
  expect(new Set(ids).size).toBe(1);
});

test('a delivery that succeeds is not retried', async () => {
  let count = 0;
  const { sandbox, ids } = withEndpoint(() => {
    count += 1;
    return new Response(null, { status: count < 3 ? 503 : 204 });
  });
  sandbox.add('customer', {});
  await sandbox.clock.advance('1 week');
  expect(ids).toHaveLength(3);
  expect(sandbox.webhooks.deliveries()[0]?.status).toBe('delivered');
});

test.each([
  ['seconds', '600'],
  ['a date of the clock that signs', new Date(Date.UTC(2026, 0, 1) + 10 * minute).toUTCString()],
])('Retry-After in %s is the minimum wait', async (_, retryAfter) => {
  const headers = { 'retry-after': retryAfter };
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1), signedAt: 'clock' });
  const answer = vi.fn(() => new Response(null, { status: 429, headers }));
  sandbox.webhooks.deliverTo(answer);
  sandbox.add('customer', {});
  await sandbox.clock.advance(10 * minute - 1);
  expect(answer).toHaveBeenCalledTimes(1);
  await sandbox.clock.advance(1);
  expect(answer).toHaveBeenCalledTimes(2);
});

test("a Retry-After date is relative to the endpoint's own Date header", async () => {
  const date = Date.UTC(2031, 5, 1);
  const headers = {
    date: new Date(date).toUTCString(),
    'retry-after': new Date(date + 10 * minute).toUTCString(),
  };
  const { sandbox, ids } = withEndpoint(() => new Response(null, { status: 429, headers }));
  sandbox.add('customer', {});
  await sandbox.clock.advance(10 * minute - 1);
  expect(ids).toHaveLength(1);
  await sandbox.clock.advance(1);
  expect(ids).toHaveLength(2);
});

test('a Retry-After of 400 digits is capped at 100 years', async () => {
  const headers = { 'retry-after': '9'.repeat(400) };
  const { sandbox, ids } = withEndpoint(() => new Response(null, { status: 429, headers }));
  sandbox.add('customer', {});
  await sandbox.settled();
  const [delivery] = sandbox.webhooks.deliveries();
  expect(delivery?.dueAt).toBe(sandbox.clock.now() + 100 * 365.25 * 24 * hour);
  expect(ids).toHaveLength(1);
});

test.each(['soon', new Date(Date.UTC(2025, 0, 1)).toUTCString()])(
  'a Retry-After of %j is ignored',
  async (retryAfter) => {
    const headers = { 'retry-after': retryAfter };
    const { sandbox, ids } = withEndpoint(() => new Response(null, { status: 429, headers }));
    sandbox.add('customer', {});
    await sandbox.clock.advance('4 s');
    expect(ids).toHaveLength(1);
    await sandbox.clock.advance('1 s');
    expect(ids).toHaveLength(2);
  },
);

test('a redirect is not followed, and counts as a failure', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sandbox = createSandbox();
  sandbox.webhooks.deliverTo(`http://127.0.0.1:${port}/hook`);
  sandbox.add('customer', {});
  await sandbox.settled();
  server.closeAllConnections();
  server.close();
  expect(seen).toEqual(['/hook']);
  expect(sandbox.webhooks.deliveries()[0]).toMatchObject({ status: 'pending', attempts: [{ status: 302 }] });
});

test('an unreachable endpoint is retried, and the reason is recorded', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const sandbox = createSandbox();
  sandbox.webhooks.deliverTo(`http://127.0.0.1:${port}/hook`);
  sandbox.add('customer', {});
  await sandbox.clock.advance('5 s');
  const [delivery] = sandbox.webhooks.deliveries();
  expect(delivery?.attempts).toHaveLength(2);
  expect(delivery?.attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/ECONNREFUSED/) });
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
])('a function that throws %s fails the attempt, with the reason', async (_, thrown, error) => {
  const sandbox = createSandbox();
  sandbox.webhooks.deliverTo(() => {
    throw thrown;
  });
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(sandbox.webhooks.deliveries()).toMatchObject([
    { status: 'pending', attempts: [{ status: null, error }] },
  ]);
});

test.each([
  ['an Error', new Error('no pen')],
  ['a text', 'no pen'],
])('a scheme that throws %s sends nothing, and the reason is recorded', async (_, thrown) => {
  const sign = () => {
    throw thrown;
  };
  const sandbox = createSandbox({ scheme: { ...standardWebhooks(), sign } });
  let requests = 0;
  sandbox.webhooks.deliverTo(() => {
    requests += 1;
    return new Response();
  });
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(requests).toBe(0);
  expect(sandbox.webhooks.deliveries()).toMatchObject([
    { status: 'pending', attempts: [{ status: null, error: 'It could not be signed: no pen' }] },
  ]);
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

test('an attempt times out', async () => {
  const { sandbox } = withEndpoint(() => new Promise(() => {}), { webhookTimeout: 1 });
  sandbox.add('customer', {});
  await sandbox.settled();
  const [delivery] = sandbox.webhooks.deliveries();
  expect(delivery?.attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/within 1 ms/) });
});

test('close aborts pending attempts', async () => {
  let arrive = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { sandbox } = withEndpoint(() => {
    arrive();
    return new Promise(() => {});
  });
  sandbox.add('customer', {});
  await reached;
  await sandbox.close();
  await sandbox.settled();
  expect(sandbox.webhooks.deliveries()[0]?.attempts[0]?.error).toMatch(/closed/);
});

test('close from within an endpoint aborts that attempt too', async () => {
  const sandbox = createSandbox();
  sandbox.webhooks.deliverTo(() => {
    void sandbox.close();
    return new Promise(() => {});
  });
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(sandbox.webhooks.deliveries()[0]?.attempts[0]?.error).toMatch(/closed/);
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

test('the API registers an endpoint, shows its secret, and rejects an invalid one', async () => {
  const { sandbox, post, request } = start();
  const made = await post('/v1/webhook_endpoints', { url: 'http://localhost:3000/hook' });
  expect(made).toMatchObject({
    enabled_events: ['*'],
    secret: expect.stringMatching(/^whsec_/),
    status: 'enabled',
  });
  expect(sandbox.webhooks.endpoints()).toMatchObject([{ id: made['id'], secret: made['secret'] }]);
  const refused = {
    url: 'ftp://shop.example',
    enabled_events: 'all',
    status: 'open',
    secret: 'sk_v1_test_x',
  };
  for (const [field, value] of Object.entries(refused)) {
    const body = { url: 'http://localhost:3000/hook', [field]: value };
    expect(await refusal(await request('/v1/webhook_endpoints', { body }))).toEqual([
      400,
      'INVALID_PARAMETER',
    ]);
    const change = { body: { [field]: value } };
    expect((await request(`/v1/webhook_endpoints/${idOf(made)}`, change)).status).toBe(400);
  }
  const changed = await post(`/v1/webhook_endpoints/${idOf(made)}`, { enabled_events: ['refund.failed'] });
  expect(changed).toEqual({ ...made, enabled_events: ['refund.failed'] });
  expect(await read(await request('/v1/webhook_endpoints'))).toEqual({ data: [changed], has_more: false });
});

test('an endpoint must have a valid URL and secret', () => {
  const { webhooks } = createSandbox();
  expect(() => webhooks.deliverTo('nowhere')).toThrow(ConfigurationError);
  expect(() => webhooks.deliverTo('http://localhost/', { secret: 'sk_v1_test_x' })).toThrow(
    /secret: expected/,
  );
  expect(() => webhooks.deliverTo('http://localhost/', { events: [] })).toThrow(/enabled_events: expected/);
  expect(webhooks.endpoints()).toEqual([]);
});

test('a rejected request delivers nothing', async () => {
  const { sandbox, received } = withEndpoint();
  const payments = new PaymentsClient({
    baseUrl: sandbox.url,
    secretKey: sandbox.secretKey,
    fetch: sandbox.fetch,
  });
  const refused = payments.customers.update('cus_none', { email: 'ada@example.com' }, { operationId: 'one' });
  await expect(refused).rejects.toThrow();
  await sandbox.settled();
  expect(received).toEqual([]);
  expect(sandbox.webhooks.deliveries()).toEqual([]);
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

test('both secrets sign until the old one is dropped', async () => {
  const verdicts: boolean[][] = [];
  const sandbox = createSandbox();
  const secrets: string[] = [];
  const { id, secret } = sandbox.webhooks.deliverTo(async (request) => {
    const body = await request.text();
    const verifies = (one: string) =>
      new Webhooks({ secret: one }).verify(body, request.headers).then(
        () => true,
        () => false,
      );
    verdicts.push(await Promise.all(secrets.map(verifies)));
    return new Response();
  });
  secrets.push(secret);
  secrets.push(sandbox.webhooks.rotateSecret(id));
  sandbox.trigger('customer.created');
  await sandbox.settled();
  sandbox.webhooks.dropOldSecrets(id);
  sandbox.trigger('customer.created');
  await sandbox.settled();
  expect(verdicts).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(sandbox.webhooks.endpoints()[0]?.secret).toBe(secrets[1]);
  expect(() => sandbox.webhooks.rotateSecret('we_none')).toThrow(
    /the id of an endpoint, got 'we_none', which does not exist/,
  );
});

test('another scheme signs, with both secrets while rotating', async () => {
  const scheme = timestampedHmac({ header: 'x-signature' });
  const sandbox = createSandbox({ scheme });
  const verified: string[] = [];
  const secrets: string[] = [];
  const { id, secret } = sandbox.webhooks.deliverTo(async (request) => {
    const body = await request.text();
    for (const one of secrets) {
      verified.push((await new Webhooks({ secret: one, scheme }).verify(body, request.headers)).type);
    }
    return new Response();
  });
  secrets.push(secret, sandbox.webhooks.rotateSecret(id));
  sandbox.trigger('customer.created');
  await sandbox.settled();
  expect(verified).toEqual(['customer.created', 'customer.created']);
});

test('a header for one signature is signed with the newest secret', async () => {
  const scheme = bodyHmac({ header: 'x-signature' });
  const sandbox = createSandbox({ scheme });
  const verdicts: boolean[] = [];
  const secrets: string[] = [];
  const { id, secret } = sandbox.webhooks.deliverTo(async (request) => {
    const body = await request.text();
    for (const one of secrets) {
      const verified = new Webhooks({ secret: one, scheme }).verify(body, request.headers);
      verdicts.push(
        await verified.then(
          () => true,
          () => false,
        ),
      );
    }
    return new Response();
  });
  secrets.push(secret, sandbox.webhooks.rotateSecret(id));
  sandbox.trigger('customer.created');
  await sandbox.settled();
  expect(verdicts).toEqual([false, true]);
});

test('keeps the latest 10,000 deliveries, and older ones until they are final', async () => {
  const { sandbox, ids } = withEndpoint(() => new Response(null, { status: 500 }));
  sandbox.add('customer', {});
  await sandbox.settled();
  const [oldest] = sandbox.webhooks.deliveries();
  sandbox.webhooks.deliverTo('http://shop.example/hook');
  sandbox.faults.inject({ kind: 'drop_delivery', times: 20_000 });
  for (let count = 0; count < 5_000; count += 1) sandbox.add('customer', {});
  expect(sandbox.webhooks.replay(oldest?.id ?? '')).toHaveLength(1);
  await sandbox.clock.advance('1 week');
  expect(ids).toHaveLength(16);
  sandbox.add('customer', {});
  expect(() => sandbox.webhooks.replay(oldest?.id ?? '')).toThrow(/expected the id of/);
});

test('keeps the latest 10,000 events', async () => {
  const { sandbox, received } = withEndpoint(undefined, {}, ['customer.deleted']);
  const { id: first } = sandbox.trigger('customer.deleted');
  await sandbox.settled();
  for (let count = 0; count < 10_000; count += 1) sandbox.add('customer', {});
  expect(sandbox.events).toHaveLength(10_000);
  expect(sandbox.events.some(({ id }) => id === first)).toBe(false);
  expect(received).toHaveLength(1);
  expect(() => sandbox.webhooks.replay(first)).toThrow(/expected the id of an event/);
});

test('no ordinary operation emits payment_intent.requires_action', async () => {
  const { sandbox, types } = withEndpoint(undefined, {}, ['payment_intent.requires_action']);
  const { id } = sandbox.add('payment_intent', {});
  sandbox.update('payment_intent', id, { status: 'requires_action' });
  sandbox.pay(id);
  await sandbox.settled();
  expect(types()).toEqual([]);
});
