import { afterEach, expect, it, vi } from 'vitest';
import { config } from 'zod/v4/core';

const entries = {
  'payments-client': () => import('payments-client'),
  'payments-client/webhooks': () => import('payments-client/webhooks'),
  'payments-client/journal': () => import('payments-client/journal'),
  'payments-client/orders': () => import('payments-client/orders'),
  'payments-client/stores': () => import('payments-client/stores'),
  'payments-client/fraud': () => import('payments-client/fraud'),
  'payments-client/opentelemetry': () => import('payments-client/opentelemetry'),
};

/** zod calls it with each schema and each check that is made. */
const onMade = vi.fn();

afterEach(() => {
  config({ postProcessor: undefined });
  onMade.mockClear();
});

it.each(Object.entries(entries))('%s makes no schema when it is imported', async (_, load) => {
  vi.resetModules();
  config({ postProcessor: onMade });
  await load();
  expect(onMade).not.toHaveBeenCalled();
});

it('makes the schema of its options for the first store, and not again for the next', async () => {
  vi.resetModules();
  const { memoryStore } = await import('payments-client/stores');
  config({ postProcessor: onMade });
  memoryStore();
  expect(onMade).toHaveBeenCalled();
  onMade.mockClear();
  memoryStore();
  expect(onMade).not.toHaveBeenCalled();
});
