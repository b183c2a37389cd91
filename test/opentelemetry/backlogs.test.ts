/** `watch` reads the open work of a journal and of receivers by one call of each in each collection of metrics. */

import { openTelemetry } from 'payments-client/opentelemetry';
import { afterEach, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { startTelemetry } from '../support/telemetry.ts';

afterEach(() => vi.useRealTimers());

const source = (count: number, oldest?: number) => ({ backlog: vi.fn(async () => ({ count, oldest })) });

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
  expect(await valuesIn(telemetry)).toEqual([
    ['payments.journal.open', '', 3],
    ['payments.journal.open_oldest', 's', 90.5],
    ['payments.webhook.failed', '', 1, consumer, 'billing'],
    ['payments.webhook.failed', '', 0, consumer, 'shipping'],
    ['payments.webhook.failed_oldest', 's', 1, consumer, 'billing'],
    ['payments.webhook.failed_oldest', 's', 0, consumer, 'shipping'],
  ]);
  for (const { backlog } of [journal, ...receivers]) expect(backlog).toHaveBeenCalledTimes(1);
  await valuesIn(telemetry);
  expect(journal.backlog).toHaveBeenCalledTimes(2);
});

it.each<[what: string, backlog: () => Promise<never>]>([
  ['rejects', () => Promise.reject(new Error('no store'))],
  [
    'throws',
    () => {
      throw new Error('no store');
    },
  ],
])('collects the others when a store %s', async (_what, backlog) => {
  const telemetry = startTelemetry();
  telemetry.watch({
    journal: { backlog },
    receivers: [
      { consumer: 'billing', backlog },
      { consumer: 'shipping', ...source(2, 0) },
    ],
  });
  expect((await valuesIn(telemetry)).map(([name, , value]) => [name, value])).toEqual([
    ['payments.webhook.failed', 2],
    ['payments.webhook.failed_oldest', 0],
  ]);
});

it('waits 5 s for a store, and does not ask it again before it answers', async () => {
  vi.useFakeTimers();
  const telemetry = startTelemetry();
  let answer = () => {};
  const late = new Promise<{ count: number; oldest: undefined }>((resolve) => {
    answer = () => resolve({ count: 7, oldest: undefined });
  });
  const { backlog } = source(8);
  backlog.mockReturnValueOnce(late);
  telemetry.watch({ journal: { backlog } });
  for (const _collection of [1, 2]) {
    const values = valuesIn(telemetry);
    // The exporter needs a moment more.
    await vi.advanceTimersByTimeAsync(5010);
    expect(await values).toEqual([]);
  }
  expect(backlog).toHaveBeenCalledTimes(1);
  answer();
  await late;
  vi.useRealTimers();
  expect((await valuesIn(telemetry)).map(([, , value]) => value)).toEqual([8, 0]);
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
