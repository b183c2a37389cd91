import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { answered } from '../support/mock-service.ts';

describe('a bound', () => {
  it.each([
    ['one below it refused', 0, false],
    ['its first taken', 1, true],
    ['its last taken', 100, true],
    ['one above it refused', 101, false],
  ])('has %s: %i', async (_what, limit, taken) => {
    const { products } = answered({ data: [], has_more: false });
    const list = (async () => await products.list({ limit, offset: 0 }))();
    const issue = {
      path: 'limit',
      expected: 'an integer from 1 to 100',
      received: `the number ${limit}`,
    };
    if (taken) expect((await list).items).toEqual([]);
    else expect((await failureOf(list, InvalidRequestError)).issues).toEqual([issue]);
  });
});
