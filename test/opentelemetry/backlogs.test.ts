/** `watch` reads the open work of a journal and of receivers by one call of each in each collection of metrics. */

import { openTelemetry } from 'payments-client/opentelemetry';
import { afterEach, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { startTelemetry } from '../support/telemetry.ts';

afterEach(() => vi.useRealTimers());

const source = (count: number, oldest?: number) => ({
  backlog: vi.fn(async (): Promise<{ count: number; oldest: number | undefined }> => ({ count, oldest })),
});

async function valuesIn({ metrics }: Pick<ReturnType<typeof startTelemetry>, 'metrics'>) {
  return (await metrics()).flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => [
      descriptor.name,
      descriptor.unit,
      value,
      ...Object.entries(attributes).flat(),
    ]),
  );
}

it('observes the number and the age of the oldest, in seconds', async () => {
  const telemetry = startTelemetry();
  const journal = source(3, 90_500);
  const receivers = [
    { consumer: 'billing', ...source(1, 1000) },
    { consumer: 'shipping', ...source(0) },
  ];
  telemetry.watch({ journal, receivers });
  const consumer = 'messaging.destination.name';
  const role = 'payments.store.role';
  expect(await valuesIn(telemetry)).toEqual([
    ['payments.journal.open', '', 3],
    ['payments.journal.open_oldest', 's', 90.5],
    ['payments.store.up', '', 1, role, 'journal'],
    ['payments.store.up', '', 1, role, 'receiver', consumer, 'billing'],
    ['payments.store.up', '', 1, role, 'receiver', consumer, 'shipping'],
    ['payments.webhook.failed', '', 1, consumer, 'billing'],
    ['payments.webhook.failed', '', 0, consumer, 'shipping'],
    ['payments.webhook.failed_oldest', 's', 1, consumer, 'billing'],
    ['payments.webhook.failed_oldest', 's', 0, consumer, 'shipping'],
  ]);
  for (const { backlog } of [journal, ...receivers]) expect(backlog).toHaveBeenCalledTimes(1);
  await valuesIn(telemetry);
  expect(journal.backlog).toHaveBeenCalledTimes(2);
});

it.each([
  [true, 1],
  [false, 0],
])('observes whether a failover is not acknowledged: %s', async (failedOver, value) => {
  const telemetry = startTelemetry();
  telemetry.watch({ journal: { backlog: async () => ({ count: 0, oldest: undefined, failedOver }) } });
  expect(await valuesIn(telemetry)).toContainEqual(['payments.journal.failed_over', '', value]);
});

it.each<[what: string, backlog: () => Promise<never>]>([
  ['rejects', () => Promise.reject(new Error('no store'))],
  [
    'throws',
    () => {
      throw new Error('no store');
    },
  ],
])('collects the others, and says which is not up, when a store %s', async (_what, backlog) => {
  const telemetry = startTelemetry();
  telemetry.watch({
    journal: { backlog },
    receivers: [
      { consumer: 'billing', backlog },
      { consumer: 'shipping', ...source(2, 0) },
    ],
  });
  expect((await valuesIn(telemetry)).map(([name, , value]) => [name, value])).toEqual([
    ['payments.store.up', 0],
    ['payments.store.up', 0],
    ['payments.store.up', 1],
    ['payments.webhook.failed', 2],
    ['payments.webhook.failed_oldest', 0],
  ]);
});

it('observes a store again that failed once', async () => {
  const telemetry = startTelemetry();
  const { backlog } = source(3, 90_500);
  backlog.mockRejectedValueOnce(new Error('no store'));
  telemetry.watch({ journal: { backlog } });
  expect((await valuesIn(telemetry)).map(([, , value]) => value)).toEqual([0]);
  expect((await valuesIn(telemetry)).map(([, , value]) => value)).toEqual([3, 90.5, 1]);
});

/** A source that answers first when it is told to, and then at once. */
function lateSource() {
  vi.useFakeTimers();
  let answer = () => {};
  const late = new Promise<Awaited<ReturnType<ReturnType<typeof source>['backlog']>>>((resolve) => {
    answer = () => resolve({ count: 7, oldest: 90_500 });
  });
  const { backlog } = source(8);
  backlog.mockReturnValueOnce(late);
  return { backlog, answer, late };
}

it('takes an answer of a store within 5 s', async () => {
  const { backlog, answer } = lateSource();
  const telemetry = startTelemetry();
  telemetry.watch({ journal: { backlog } });
  const values = valuesIn(telemetry);
  await vi.advanceTimersByTimeAsync(4990);
  answer();
  await vi.advanceTimersByTimeAsync(20);
  expect((await values).map(([, , value]) => value)).toEqual([7, 90.5, 1]);
});

it('waits no longer, and does not ask again before there is an answer', async () => {
  const { backlog, answer, late } = lateSource();
  const telemetry = startTelemetry();
  telemetry.watch({ journal: { backlog } });
  for (const _collection of [1, 2]) {
    const values = valuesIn(telemetry);
    // The exporter needs a moment more.
    await vi.advanceTimersByTimeAsync(5010);
    expect((await values).map(([name, , value]) => [name, value])).toEqual([['payments.store.up', 0]]);
  }
  expect(backlog).toHaveBeenCalledTimes(1);
  answer();
  await late;
  const values = valuesIn(telemetry);
  await vi.advanceTimersByTimeAsync(10);
  expect((await values).map(([, , value]) => value)).toEqual([8, 0, 1]);
  expect(backlog).toHaveBeenCalledTimes(2);
});

it('refuses what has no backlog, and a misspelt option', () => {
  const { watch } = openTelemetry();
  expect(() => watch(anything({ journal: {} }))).toThrow(
    'watch.journal: expected an object with backlog, got an object',
  );
  expect(() => watch(anything({ receivers: [1] }))).toThrow('watch.receivers[0]: expected a receiver');
  expect(() => watch(anything({ receiver: source(1) }))).toThrow("did you mean 'receivers'?");
});
