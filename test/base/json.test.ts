import { describe, expect, it } from 'vitest';
import { createClient } from '../support/mock-service.ts';

describe('parameters in a different order', () => {
  it.each([
    [{ b: 1, a: 2 }, { a: 2, b: 1 }, '{"a":2,"b":1}'],
    [
      { c: { z: 1, y: [{ n: 1, m: 2 }] }, b: '' },
      { b: '', c: { y: [{ m: 2, n: 1 }], z: 1 } },
      '{"b":"","c":{"y":[{"m":2,"n":1}],"z":1}}',
    ],
    [{ a: 1, b: 2, ab: 3 }, { ab: 3, b: 2, a: 1 }, '{"a":1,"ab":3,"b":2}'],
  ])('are sent as the same bytes, sorted by name: %j', async (first, second, sent) => {
    const bodies: string[] = [];
    const fetch = async (request: Request) => {
      bodies.push(await request.text());
      return Response.json({});
    };
    const payments = createClient({ fetch });
    for (const body of [first, second]) {
      await payments.request({ method: 'POST', path: '/v1/teas', body }, { operationId: 'order-1' });
    }
    expect(bodies).toEqual([sent, sent]);
  });
});
