import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { answered } from '../support/mock-service.ts';

describe('an integer with bounds', () => {
  it.each([
    ['refuses one below the minimum', 0, false],
    ['accepts the minimum', 1, true],
    ['accepts the maximum', 100, true],
    ['refuses one above the maximum', 101, false],
  ])('%s: %i', async (_what, limit, isAccepted) => {
    const { products } = answered({ data: [], has_more: false });
    const list = (async () => await products.list({ limit, offset: 0 }))();
    const issue = {
      path: 'limit',
      expected: 'an integer from 1 to 100',
      received: `the number ${limit}`,
    };
    if (isAccepted) expect((await list).items).toEqual([]);
    else expect((await failureOf(list, InvalidRequestError)).issues).toEqual([issue]);
  });
});
