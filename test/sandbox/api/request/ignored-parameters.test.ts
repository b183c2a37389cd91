import { createTestClient } from 'payments-client/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { anything } from '../../../support/anything.ts';

afterEach(() => vi.restoreAllMocks());

const line = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 };

function createSession(params: object) {
  const { payments } = createTestClient();
  return payments.checkoutSessions.create(anything({ mode: 'payment', ...params }), {
    operationId: 'order-1',
  });
}

it('writes an unknown parameter to the console once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  // The client itself refuses a name that is nearer.
  const params = { line_items: [line], sucess_adress: 'https://shop.example/' };
  await createSession(params);
  await createSession(params);
  expect(warn.mock.calls).toEqual([
    ["payments-client sandbox: ignored the unknown parameter 'sucess_adress'."],
  ]);
});

it('finds one inside an item, and accepts any key of metadata', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await createSession({ line_items: [{ ...line, prize: 7 }], metadata: { anything: 'goes' } });
  expect(warn.mock.calls).toEqual([["payments-client sandbox: ignored the unknown parameter 'prize'."]]);
});

it('never writes a name that may be a secret', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await createSession({ line_items: [line], sk_v1_test_0123456789: true });
  expect(warn).not.toHaveBeenCalled();
});
