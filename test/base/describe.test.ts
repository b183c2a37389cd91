import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { answered } from '../support/mock-service.ts';

describe('the description of a value', () => {
  it.each<[value: unknown, description: string]>([
    [null, 'null'],
    [{}, 'an object'],
    [[1, 2], 'an array of 2'],
    [true, 'true'],
    [false, 'false'],
    ['', 'an empty string'],
    ['all', "'all'"],
    ['a1', 'a string of 2 characters'],
    [1.5, 'the number 1.5'],
    [-99_999_999_999.5, 'the number -99999999999.5'],
    [1e11 + 0.5, 'a number'],
    [-1e11, 'a number'],
  ])('of %o is %s', async (value, description) => {
    const { products } = answered({ data: [], has_more: false });
    const list = async () => await products.list(anything({ limit: value }));
    expect(await failureOf(list(), InvalidRequestError)).toMatchObject({
      issues: [{ path: 'limit', expected: 'an integer from 1', received: description }],
    });
  });
});
