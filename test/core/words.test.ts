/** What the client says when something is wrong, word by word: whoever reads it must know what to do. */

import { InvalidRequestError, PaginationError, PaymentsError, TimeoutError } from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { product, refund } from '../support/fixtures.ts';
import { answered, createClient } from '../support/mock-service.ts';

const nothingSent = createClient({
  fetch: () => {
    throw new Error('expected nothing to be sent');
  },
});
const { products, refunds } = nothingSent;

describe('a list', () => {
  const incomplete = 'The list is not complete: do not treat what came as all of it.';

  it.each([
    [{ data: [] }, `products.list: expected a page with has_more, got one without. ${incomplete}`],
    [
      { data: [], has_more: true },
      `products.list: expected a page with next_cursor since has_more is true, got one without. ${incomplete}`,
    ],
    [
      { data: [product('a')], has_more: true, next_cursor: 'a' },
      `products.list: expected a next_cursor that moves on, got one that was followed before. ${incomplete}`,
    ],
  ])('%j cannot be walked to its end', async (body, message) => {
    const walk = answered(body).products.list().toArray({ max: 9 });
    expect(await failureOf(walk, PaginationError)).toMatchObject({ message });
  });

  const notRead = 'products.list: the response is not what it should be:';
  it.each([
    [[], {}, `${notRead} (root): expected a page, got something else.`],
    [{}, {}, `${notRead} (root): expected one array of items, got none.`],
    [
      { a: [], b: [] },
      {},
      `${notRead} (root): expected one array of items, got 2 arrays; set itemsField to the right one.`,
    ],
    [
      { data: [] },
      { itemsField: 'rows' },
      `${notRead} rows: expected an array in the field 'rows', got none.`,
    ],
  ])('is not found in %j', async (body, options, message) => {
    const error = await failureOf(answered(body, options).products.list(), PaymentsError);
    expect(error.message).toBe(message);
  });

  it.each<[message: string, call: () => PromiseLike<unknown>]>([
    ['products.list: limit: expected an integer from 1, got the number 0', () => products.list({ limit: 0 })],
    [
      'products.list: limit: expected an integer from 1 to 100, got the number 101',
      () => products.list({ limit: 101, offset: 0 }),
    ],
    [
      'products.list: offset: expected an integer from 0, got the number -1',
      () => products.list({ offset: -1 }),
    ],
    [
      'products.list: starting_after: expected an id, got an empty string',
      () => products.list({ starting_after: '' }),
    ],
    [
      'products.list: starting_after: expected an id, got the number 7',
      () => products.list(anything({ starting_after: 7 })),
    ],
    [
      'products.list: offset: expected either offset or starting_after, got both',
      () => products.list(anything({ starting_after: 'a', offset: 1 })),
    ],
    [
      "products.list: options.prefetch: expected true or false, got 'yes'",
      () => products.list({}, anything({ prefetch: 'yes' })),
    ],
    [
      'products.list.toArray: max: expected an integer from 1, got nothing',
      () => products.list().toArray(anything(undefined)),
    ],
    [
      'products.list.toArray: max: expected an integer from 1, got the number 0',
      () => products.list().toArray({ max: 0 }),
    ],
    [
      'products.list.forEach: options.concurrency: expected an integer from 1 to 1000, got the number 0; work: expected a function, got nothing',
      () => products.list().forEach(anything(undefined), { concurrency: 0 }),
    ],
  ])('refuses: %s', async (message, call) => {
    const error = await failureOf(Promise.resolve().then(call), InvalidRequestError);
    expect(error.message).toBe(`${message}. Nothing was sent.`);
  });

  it('of a hundred is the most from an offset, and has no most by cursor', async () => {
    const { products } = answered({ data: [product('a')], has_more: false });
    expect((await products.list({ limit: 100, offset: 0 })).items).toHaveLength(1);
    expect((await products.list({ limit: 101 })).items).toHaveLength(1);
  });
});

describe('a wait', () => {
  it('that was too long tells how often it looked', async () => {
    const wait = answered(refund).refunds.waitFor('rf_1', { interval: 60_000, timeout: 50 });
    expect(await failureOf(wait, TimeoutError)).toMatchObject({
      message:
        'refunds.waitFor: expected what was waited for within 50 ms (the timeout of waitFor), got none.',
      attempts: 1,
      idempotencyKey: undefined,
    });
  });

  it.each([
    ['options.interval: expected an integer from 1 to 2147483647, got the number 0', { interval: 0 }],
    [
      'options.timeout: expected an integer from 1 to 2147483647, got the number 2147483648',
      { timeout: 2 ** 31 },
    ],
  ])('refuses: %s', async (message, options) => {
    const error = await failureOf(refunds.waitFor('rf_1', options), InvalidRequestError);
    expect(error.message).toBe(`refunds.waitFor: ${message}. Nothing was sent.`);
  });
});

describe('a call', () => {
  it('is a promise like any other, under its own name', async () => {
    const call = answered(refund).refunds.retrieve('rf_1');
    expect(String(call)).toBe('[object ApiPromise]');
    const over = vi.fn();
    expect(await call.finally(over)).toMatchObject({ id: 'rf_1' });
    expect(over).toHaveBeenCalledOnce();
  });
});
