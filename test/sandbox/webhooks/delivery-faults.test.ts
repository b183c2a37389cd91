import type { Disturbance } from 'payments-client/sandbox';
import { expect, test } from 'vitest';
import { withEndpoint } from './support.ts';

const types = ['customer.created'];

test('a duplicate arrives twice, under the same id', async () => {
  const { sandbox, received, ids } = withEndpoint();
  sandbox.webhooks.disturb({ kind: 'duplicate', times: 2 });
  for (let count = 0; count < 3; count += 1) sandbox.add('customer', {});
  await sandbox.settled();
  const [first, second, third] = sandbox.events;
  expect(received).toEqual([first, first, second, second, third]);
  expect(ids[0]).toBe(ids[1]);
});

test('a reordered event is overtaken by the next one', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.webhooks.disturb({ kind: 'reorder' });
  for (let count = 0; count < 3; count += 1) sandbox.add('customer', {});
  await sandbox.settled();
  const [first, second, third] = sandbox.events;
  expect(received).toEqual([second, first, third]);
});

test('a reordered event that nothing overtakes arrives an hour late', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.webhooks.disturb({ kind: 'reorder' });
  sandbox.add('customer', {});
  await sandbox.clock.advance('59 min');
  expect(received).toEqual([]);
  await sandbox.clock.advance('1 min');
  expect(received).toEqual(sandbox.events);
});

test('what was not overtaken in time waits for its own repetition, not for the next event', async () => {
  const { sandbox, received } = withEndpoint(() => new Response(null, { status: 500 }));
  sandbox.webhooks.disturb({ kind: 'reorder' });
  sandbox.add('customer', {});
  await sandbox.clock.advance('1 hour');
  expect(received).toEqual(sandbox.events);
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(received).toEqual(sandbox.events);
  expect(sandbox.webhooks.deliveries()).toMatchObject([{ attempts: [{}] }, { attempts: [{}] }]);
});

test('a delayed event arrives later', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.webhooks.disturb({ kind: 'delay', by: '2 hours' });
  sandbox.add('customer', {});
  sandbox.add('customer', {});
  await sandbox.clock.advance('119 min');
  const [first, second] = sandbox.events;
  expect(received).toEqual([second]);
  await sandbox.clock.advance('1 min');
  expect(received).toEqual([second, first]);
});

test.each(['wrong_secret', 'altered_body'] as const)(
  '%s: a receiver refuses the first attempt, and accepts the repeated one',
  async (kind) => {
    const { sandbox, received } = withEndpoint();
    sandbox.webhooks.disturb({ kind });
    sandbox.add('customer', {});
    await sandbox.settled();
    expect(received).toEqual([]);
    const [delivery] = sandbox.webhooks.deliveries();
    expect(delivery?.attempts).toMatchObject([
      { status: 400, responseText: expect.stringMatching(/signature/) },
    ]);
    await sandbox.clock.advance('5 s');
    expect(received).toEqual(sandbox.events);
  },
);

test('a lost event never arrives, and can be replayed', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.webhooks.disturb({ kind: 'lose' });
  sandbox.add('customer', {});
  await sandbox.clock.advance('1 week');
  expect(received).toEqual([]);
  const [delivery] = sandbox.webhooks.deliveries();
  expect(delivery).toMatchObject({ status: 'lost', attempts: [] });
  sandbox.webhooks.replay(delivery?.eventId ?? '');
  await sandbox.settled();
  expect(received).toEqual(sandbox.events);
});

test('a disturbance strikes the types and the endpoint that it names, and no more', async () => {
  const { sandbox, endpoint, types: arrived } = withEndpoint();
  const other: string[] = [];
  const { id } = sandbox.webhooks.deliverTo(async (request) => {
    other.push(JSON.parse(await request.text()).type);
    return new Response();
  });
  sandbox.webhooks.disturb({ kind: 'lose', types, endpoint: endpoint.id });
  sandbox.webhooks.disturb({ kind: 'lose', types: ['customer.deleted'], endpoint: id });
  sandbox.trigger('customer.deleted');
  await sandbox.settled();
  expect(arrived()).toEqual(['customer.deleted']);
  expect(other).toEqual(['customer.created']);
});

test('calm forgets what has not struck yet, and keeps nothing back', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.webhooks.disturb({ kind: 'reorder', times: 9 });
  sandbox.add('customer', {});
  sandbox.webhooks.calm();
  sandbox.add('customer', {});
  await sandbox.settled();
  const [first, second] = sandbox.events;
  expect(received).toEqual([second, first]);
  sandbox.webhooks.disturb({ kind: 'lose', times: 9 });
  sandbox.webhooks.calm();
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(received).toHaveLength(3);
});

test('a disturbance that is none is refused', () => {
  const { webhooks } = withEndpoint().sandbox;
  expect(() => webhooks.disturb({ kind: 'explode' } as unknown as Disturbance)).toThrow(
    /expected one of duplicate/,
  );
  expect(() => webhooks.disturb({ kind: 'lose', times: 0 })).toThrow(
    /^webhooks\.disturb\.times: expected an integer from 1, got the number 0\.$/,
  );
});
