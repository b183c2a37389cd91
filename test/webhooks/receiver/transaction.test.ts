/** A handler in the merchant's transaction, over a store in memory; the transaction is that of the test. */

import { once } from 'node:events';
import type {
  DeliveryFailure,
  DeliveryReport,
  TransactionContext,
  TransactionReceiverOptions,
} from 'payments-client/webhooks';
import { afterEach, expect, it, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { type MemoryTransaction, memoryBackend } from './modes.ts';

const failed = eventOf('refund.failed');

type Options = TransactionReceiverOptions<MemoryTransaction>;
type Context = TransactionContext<MemoryTransaction>;

/** A receiver whose handler adds an effect, after it did what the test says. */
function start(
  optionsOf: (backend: ReturnType<typeof memoryBackend>) => Partial<Options> = () => ({}),
  act: (context: Context) => unknown = () => {},
) {
  const backend = memoryBackend();
  const failures: DeliveryFailure[] = [];
  const reports: DeliveryReport[] = [];
  const contexts: Context[] = [];
  const { handle } = webhooksAt().receiver({
    store: backend.store,
    transaction: backend.transaction,
    on: {
      'refund.failed': async ({ id }, context) => {
        contexts.push(context);
        await backend.add(id, context.client);
        await act(context);
      },
    },
    onError: (failure: DeliveryFailure) => failures.push(failure),
    onDelivery: (report: DeliveryReport) => reports.push(report),
    ...optionsOf(backend),
  });
  const deliver = async () => {
    const { status, outcome, headers } = await handle(await delivery(failed));
    return [status, outcome, headers['retry-after']].filter(Boolean).join(' ');
  };
  return { backend, contexts, failures, reports, deliver };
}

function useFakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}
afterEach(() => {
  vi.useRealTimers();
});

it('gets the connection, and nothing of a lease', async () => {
  const { contexts, deliver } = start();
  expect(await deliver()).toBe('200 handled');
  expect(contexts).toEqual([
    {
      client: { onCommit: expect.any(Array), locks: expect.any(Set) },
      signal: expect.any(AbortSignal),
      rawBody: JSON.stringify(failed),
      masked: false,
      operationId: 'webhook.default/test//evt_1',
      scope: undefined,
      issues: [],
    },
  ]);
});

it.each([
  [60_000, 61_000],
  [2 ** 31 - 1, 2 ** 31 - 1],
])(
  'with a lease of %i ms may be idle for %i ms, and is remembered for the retention',
  async (lease, idle) => {
    const record = vi.fn();
    const { deliver } = start(({ store }) => ({
      lease,
      retention: 7000,
      store: {
        ...store,
        record: (...given) => {
          record(...given);
          return store.record(...given);
        },
      },
    }));
    expect(await deliver()).toBe('200 handled');
    const options = { client: expect.any(Object), lease: idle };
    expect(record.mock.calls).toEqual([['webhook.default/test//evt_1', 7000, options]]);
  },
);

it('gets an aborted signal at the end of its lease, and is rolled back if it throws', async () => {
  useFakeTimers();
  const { backend, contexts, failures, deliver } = start(
    () => ({ lease: 1000 }),
    async ({ signal }) => {
      await once(signal, 'abort');
      signal.throwIfAborted();
    },
  );
  const replied = deliver();
  await vi.advanceTimersByTimeAsync(999);
  expect(contexts[0]?.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await replied).toBe('500 failed');
  expect(failures).toMatchObject([
    { error: { name: 'TimeoutError', message: expect.stringMatching(/1000 ms/) } },
  ]);
  expect(await backend.effects()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('begins only for an event with a handler, and any other one is handled', async () => {
  const transaction = vi.fn();
  const { deliver, failures } = start(() => ({ transaction, on: {} }));
  expect(await deliver()).toBe('200 handled');
  expect(transaction).not.toHaveBeenCalled();
  expect(failures).toEqual([]);
});

it('runs again if the merchant retries a refused transaction, and is handled', async () => {
  let runs = 0;
  const { backend, deliver, failures } = start(
    ({ transaction }) => ({ transaction: (run) => transaction(run).catch(() => transaction(run)) }),
    () => {
      runs += 1;
      if (runs === 1) throw Object.assign(new Error('could not serialize'), { code: '40001' });
    },
  );
  expect(await deliver()).toBe('200 handled');
  expect([runs, await backend.effects(), failures]).toEqual([2, ['evt_1'], []]);
});

it.each<[what: string, (backend: ReturnType<typeof memoryBackend>) => Options['transaction'], error: RegExp]>(
  [
    ['runs nothing', () => async () => {}, /expected a call of the function passed to it, got none/],
    [
      'hides the error of the handler',
      ({ transaction }) =>
        (run) =>
          transaction(run).catch(() => {}),
      /no stock/,
    ],
    ['fails before it runs', () => () => Promise.reject(new Error('no connection')), /no connection/],
    [
      'fails before it is one',
      () => () => {
        throw new Error('no pool');
      },
      /no pool/,
    ],
  ],
)('is not handled by a transaction that %s', async (_what, transactionOf, error) => {
  const { backend, failures, deliver } = start(
    (own) => ({ transaction: transactionOf(own) }),
    () => Promise.reject(new Error('no stock')),
  );
  expect(await deliver()).toBe('500 failed');
  expect(String(failures[0]?.error)).toMatch(error);
  expect(await backend.effects()).toEqual([]);
});

type Wait = (begun: Promise<void>, backend: ReturnType<typeof memoryBackend>) => Partial<Options>;

it.each<[step: string, wait: Wait]>([
  ['start', (begun, { transaction }) => ({ transaction: (run) => begun.then(() => transaction(run)) })],
  [
    'get its record, for which another delivery may have to end,',
    (begun, { store }) => ({
      store: { ...store, record: (...given) => begun.then(() => store.record(...given)) },
    }),
  ],
])('that does not %s within 3 s fails with 503, and handles nothing later', async (_step, wait) => {
  useFakeTimers();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended: unknown[] = [];
  const { backend, contexts, deliver, reports } = start((own) => {
    const { transaction = own.transaction, ...others } = wait(begun, own);
    return {
      ...others,
      transaction: (run) => transaction(run).catch((error: unknown) => ended.push(error)),
    };
  });
  const replied = deliver();
  await vi.advanceTimersByTimeAsync(2999);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await replied).toBe('503 failed 3');
  begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toMatchObject([{ code: 'STORE_TIMEOUT' }]);
  expect([contexts, await backend.effects()]).toEqual([[], []]);
  expect(await deliver()).toBe('200 handled');
});

it('that took longer than 3 s after its start is handled', async () => {
  useFakeTimers();
  const { deliver } = start(undefined, () => new Promise((resolve) => setTimeout(resolve, 50_000)));
  const replied = deliver();
  await vi.advanceTimersByTimeAsync(50_000);
  expect(await replied).toBe('200 handled');
});

it('that throws is answered within 15 s although the store never keeps it', async () => {
  useFakeTimers();
  const { deliver, failures } = start(
    ({ store }) => ({ store: { ...store, release: () => new Promise<never>(() => {}) } }),
    () => Promise.reject(new Error('no stock')),
  );
  const replied = deliver();
  await vi.advanceTimersByTimeAsync(14_999);
  expect(failures).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await replied).toBe('500 failed');
  expect(failures).toMatchObject([{ error: { code: 'STORE_TIMEOUT' } }, { error: { message: 'no stock' } }]);
});

it('that fails while another delivery has its event reports no attempt of its own', async () => {
  const { backend, deliver, reports } = start(undefined, async ({ operationId }) => {
    await backend.store.claim(operationId, 60_000);
    throw new Error('no stock');
  });
  expect(await deliver()).toBe('500 failed');
  expect(reports).toMatchObject([{ outcome: 'failed', attempt: undefined }]);
});
