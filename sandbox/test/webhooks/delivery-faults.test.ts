import type { Fault } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { withEndpoint } from './support.ts';

const types = ['customer.created'];

test('a duplicate arrives twice, under the same id', async () => {
  const { sandbox, received, ids } = withEndpoint();
  sandbox.faults.inject({ kind: 'duplicate_delivery', times: 2 });
  for (let count = 0; count < 3; count += 1) sandbox.add('customer', {});
  await sandbox.settled();
  const [first, second, third] = sandbox.events;
  expect(received).toEqual([first, first, second, second, third]);
  expect(ids[0]).toBe(ids[1]);
});

test('the next event overtakes a reordered one', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.faults.inject({ kind: 'reorder_delivery' });
  for (let count = 0; count < 3; count += 1) sandbox.add('customer', {});
  await sandbox.settled();
  const [first, second, third] = sandbox.events;
  expect(received).toEqual([second, first, third]);
});

test('a reordered event without a successor arrives an hour late', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.faults.inject({ kind: 'reorder_delivery' });
  sandbox.add('customer', {});
  await sandbox.clock.advance('59 min');
  expect(received).toEqual([]);
  await sandbox.clock.advance('1 min');
  expect(received).toEqual(sandbox.events);
});

test('a reordered event that was not overtaken in time waits for its own retry', async () => {
  const { sandbox, received } = withEndpoint(() => new Response(null, { status: 500 }));
  sandbox.faults.inject({ kind: 'reorder_delivery' });
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
  sandbox.faults.inject({ kind: 'delay_delivery', by: '2 hours' });
  sandbox.add('customer', {});
  sandbox.add('customer', {});
  await sandbox.clock.advance('119 min');
  const [first, second] = sandbox.events;
  expect(received).toEqual([second]);
  await sandbox.clock.advance('1 min');
  expect(received).toEqual([second, first]);
});

test.each(['forge_delivery', 'tamper_delivery'] as const)(
  '%s: a receiver rejects the first attempt, and accepts the retry',
  async (kind) => {
    const { sandbox, received } = withEndpoint();
    sandbox.faults.inject({ kind });
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

test('a dropped delivery never arrives, and can be replayed', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.faults.inject({ kind: 'drop_delivery' });
  sandbox.add('customer', {});
  await sandbox.clock.advance('1 week');
  expect(received).toEqual([]);
  const [delivery] = sandbox.webhooks.deliveries();
  expect(delivery).toMatchObject({ status: 'dropped', attempts: [] });
  sandbox.webhooks.replay(delivery?.eventId ?? '');
  await sandbox.settled();
  expect(received).toEqual(sandbox.events);
});

test('a delivery fault hits only its event types and its endpoint', async () => {
  const { sandbox, endpoint, types: arrived } = withEndpoint();
  const other: string[] = [];
  const { id } = sandbox.webhooks.deliverTo(async (request) => {
    other.push(JSON.parse(await request.text()).type);
    return new Response();
  });
  sandbox.faults.inject({ kind: 'drop_delivery', types, endpoint: endpoint.id });
  sandbox.faults.inject({ kind: 'drop_delivery', types: ['customer.deleted'], endpoint: id });
  sandbox.trigger('customer.deleted');
  await sandbox.settled();
  expect(arrived()).toEqual(['customer.deleted']);
  expect(other).toEqual(['customer.created']);
});

test('clear removes armed faults, and holds nothing', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.faults.inject({ kind: 'reorder_delivery', times: 9 });
  sandbox.add('customer', {});
  sandbox.faults.clear();
  sandbox.add('customer', {});
  await sandbox.settled();
  const [first, second] = sandbox.events;
  expect(received).toEqual([second, first]);
  sandbox.faults.inject({ kind: 'drop_delivery', times: 9 });
  sandbox.faults.clear();
  sandbox.add('customer', {});
  await sandbox.settled();
  expect(received).toHaveLength(3);
});

test('an invalid delivery fault is rejected', () => {
  const { faults } = withEndpoint().sandbox;
  expect(() => faults.inject({ kind: 'explode' } as unknown as Fault)).toThrow(
    /expected one of .*duplicate_delivery.*, got/,
  );
  expect(() => faults.inject({ kind: 'drop_delivery', times: 0 })).toThrow(
    /^faults\.inject\.times: expected an integer from 1, got the number 0\. /,
  );
});
