/** Reaches inside: the types of the control API's stories are not public. */

import type { PaymentsClientOptions } from 'payments-client';
import { createOrders } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { clientOf } from '../../../test/support/sandbox.ts';
import type { Entry } from '../../src/stories/entry.ts';
import type { StorySummary } from '../../src/stories/story.ts';
import type { Story } from '../../src/stories/whole-story.ts';

const startsAt = Date.UTC(2026, 0, 15);

/** A page of the control API. */
interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/** Starts a sandbox that records, a client without retries, and readers of the control API, without a network. */
export function record(options: SandboxOptions = {}, client: PaymentsClientOptions = {}) {
  const sandbox = createSandbox({ startsAt, ...options });
  // A sandbox that does not listen begins to record when a story is read.
  sandbox.story('');
  const payments = clientOf(sandbox, { fetch: sandbox.fetch, maxRetries: 0, ...client });
  return { sandbox, payments, ...dashboardOf(sandbox) };
}

/** Records a shop that sells boxes of tea at 12.00 with `createOrders`. */
export function recordShop({ createdAt = 1 } = {}, options: SandboxOptions = {}) {
  const recorded = record(options, { checkoutPage: 'https://pay.example/{id}' });
  const { sandbox, payments } = recorded;
  const row = { createdAt, boxes: 1 };
  const orders = createOrders({
    payments,
    store: memoryStore(),
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${encodeURIComponent(id)}`,
    order: () => {
      const lines = [{ name: 'Tea', amount: 1200, quantity: row.boxes }];
      return { createdAt: row.createdAt, currency: 'usd', lines };
    },
    onPaid: () => {},
    now: sandbox.clock.now,
  });
  /** The buyer pays what is due. `meanwhile` runs before the shop learns of it. */
  const pay = async (id: string, meanwhile = () => {}) => {
    const checkout = await orders.checkout(id);
    if (checkout.state !== 'open') throw new Error(`Expected an open page, got ${checkout.state}.`);
    sandbox.pay(checkout.session);
    meanwhile();
    await orders.refresh(id);
  };
  return { ...recorded, row, orders, pay };
}

/** Returns readers of the control API. */
export function dashboardOf(sandbox: Sandbox) {
  const call = async (path: string, body?: object): Promise<{ status: number; body: unknown }> => {
    const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await sandbox.fetch(new Request(`${sandbox.url}/_sandbox/${path}`, init));
    return { status: response.status, body: await response.json() };
  };
  const read = async <T>(path: string): Promise<T> => (await call(path)).body as T;
  return {
    call,
    stories: async (query = '') => (await read<Page<StorySummary>>(`stories?${query}`)).data,
    story: (id: string) => read<Story>(`stories/${encodeURIComponent(id)}`),
    entries: async (query = 'limit=500') => (await read<Page<Entry>>(`entries?${query}`)).data,
  };
}

/** Waits for a call that must fail. */
export async function fails(call: PromiseLike<unknown>): Promise<void> {
  await call.then(
    () => {
      throw new Error('Expected the call to fail.');
    },
    () => undefined,
  );
}
