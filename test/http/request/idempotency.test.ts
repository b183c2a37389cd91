/** The key of a business operation: derived from the caller's own id, or given; a wrong one is refused before a request is sent. */

import fc from 'fast-check';
import { deriveIdempotencyKey, InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../../support/fixtures.ts';
import { createClient, json } from '../../support/mock-service.ts';
import { bySize } from '../../support/size.ts';

/** Any non-blank text: any Unicode including lone surrogates, short or long. */
const notBlank = fc
  .oneof(
    anyText({ minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
    fc.string({ unit: fc.constantFrom(':', '~', '.', '0', 'a', '%', '\ud800'), minLength: 1, maxLength: 12 }),
  )
  .filter((text) => text.trim() !== '');

const numRuns = bySize({ short: 150, all: 5_000 });

describe('deriveIdempotencyKey', () => {
  it('returns at most 255 printable ASCII characters without blanks', () => {
    fc.assert(
      fc.property(notBlank, notBlank, (operation, id) => {
        const key = deriveIdempotencyKey(operation, id);
        expect(key).toMatch(/^[!-~]{1,255}$/);
        expect(deriveIdempotencyKey(operation, id)).toBe(key);
      }),
      { numRuns },
    );
  });

  it('separates scopes, and returns the key of before without one', () => {
    fc.assert(
      fc.property(notBlank, notBlank, notBlank, notBlank, (operation, id, scope, other) => {
        const keys = [undefined, scope, ...(scope === other ? [] : [other])].map((one) =>
          deriveIdempotencyKey(operation, id, one),
        );
        for (const key of keys) expect(key).toMatch(/^[!-~]{1,255}$/);
        expect(new Set(keys).size).toBe(keys.length);
        // Neither can a scope be chosen to meet another operation or id.
        expect(deriveIdempotencyKey(other, operation, id)).not.toBe(deriveIdempotencyKey(operation, id));
      }),
      { numRuns },
    );
    expect(deriveIdempotencyKey('refunds.create', 'order-1')).toBe('pc1:refunds.create:order-1');
    expect(deriveIdempotencyKey('refunds.create', 'order-1', 'shop')).toBe(
      'pc1s:shop:refunds.create:order-1',
    );
    for (const scope of ['', ' ', anything(7)])
      expect(() => deriveIdempotencyKey('refunds.create', 'order-1', scope)).toThrow(/scope/);
  });

  it('returns different keys for different operations or ids', () => {
    fc.assert(
      fc.property(notBlank, notBlank, notBlank, notBlank, (operation, id, otherOperation, otherId) => {
        fc.pre(operation !== otherOperation || id !== otherId);
        expect(deriveIdempotencyKey(operation, id)).not.toBe(deriveIdempotencyKey(otherOperation, otherId));
      }),
      { numRuns },
    );
  });

  it('returns different keys for texts that differ in one UTF-16 unit', () => {
    const change = fc.record({ at: fc.nat(), unit: fc.integer({ min: 1, max: 0xffff }) });
    fc.assert(
      fc.property(notBlank, notBlank, change, (operation, id, { at, unit }) => {
        const place = at % id.length;
        const changed = String.fromCharCode(id.charCodeAt(place) ^ unit);
        const other = id.slice(0, place) + changed + id.slice(place + 1);
        fc.pre(other.trim() !== '');
        expect(deriveIdempotencyKey(operation, other)).not.toBe(deriveIdempotencyKey(operation, id));
      }),
      { numRuns },
    );
  });

  const longest = 'x'.repeat(255 - 'pc1:o:'.length);
  it.each([
    ['refunds.create', 'order-1042', 'pc1:refunds.create:order-1042'],
    ['refunds.create', 'é', 'pc1:refunds.create:~00e9'],
    ['refunds.create', 'e\u0301', 'pc1:refunds.create:e~0301'],
    ['refunds.create', ' A~b', 'pc1:refunds.create:~0020A~007eb'],
    ['a:b', 'c', 'pc1:a~003ab:c'],
    ['a', 'b:c', 'pc1:a:b~003ac'],
    ['refunds.create', '\ud800', 'pc1:refunds.create:~d800'],
    ['o', longest, `pc1:o:${longest}`],
    // SHA-256 of `o:xxx…` and `refunds.create:xxx…`, computed with another implementation.
    [
      'refunds.create',
      'x'.repeat(300),
      'pc1h:7415e5350f7dbd4471d8568458da862b745582a02aadd0cdfb9c8c70e0707446',
    ],
  ])('never changes the key of %s %s within a major version', (operation, id, key) => {
    expect(deriveIdempotencyKey(operation, id)).toBe(key);
  });

  it('hashes what is one character too long for a key, and a million', () => {
    expect(deriveIdempotencyKey('o', `${longest}x`)).toMatch(/^pc1h:[\da-f]{64}$/);
    expect(deriveIdempotencyKey('o', 'x'.repeat(1_000_000))).toMatch(/^pc1h:[\da-f]{64}$/);
  });

  it.each<readonly [operation: unknown, id: unknown, issues: readonly string[]]>([
    ['', 'o', ['operation: expected a non-blank string, got an empty string']],
    ['o', undefined, ['operationId: expected a non-blank string, got nothing']],
    [undefined, null, ['operation: expected a non-blank', 'operationId: expected a non-blank']],
  ])('refuses %j and %j', (operation, id, issues) => {
    const derive = () => deriveIdempotencyKey(anything(operation), anything(id));
    for (const issue of issues) expect(derive).toThrow(`deriveIdempotencyKey.${issue}`);
  });
});

/** Creates an intent with these options, and returns the keys that were sent. */
async function keysOf(options: unknown) {
  const keys: (string | null)[] = [];
  const fetch = async ({ headers }: Request) => {
    keys.push(headers.get('idempotency-key'));
    return json(paymentIntent);
  };
  const call = createClient({ fetch }).paymentIntents.create(intentParams, anything(options));
  return { keys, call };
}

describe('an idempotency key', () => {
  it.each(['k', 'a b', '~', 'k'.repeat(255)])('of the user is sent unchanged: %s', async (idempotencyKey) => {
    const { keys, call } = await keysOf({ idempotencyKey });
    await call;
    expect(keys).toEqual([idempotencyKey]);
  });

  const aKey = '1 to 255 printable ASCII characters without blanks at the ends';
  const anId = 'a non-blank string';
  const ownId = 'your own id of this business operation';

  it.each<readonly [options: unknown, path: string, expected: string, received: string]>([
    [{ idempotencyKey: 'k'.repeat(256) }, 'options.idempotencyKey', aKey, 'a string of 256 characters'],
    ...['', ' k', 'k ', 'é', 'a\nb'].map(
      (idempotencyKey) => [{ idempotencyKey }, 'options.idempotencyKey', aKey, 'a string of'] as const,
    ),
    [{ idempotencyKey: 7 }, 'options.idempotencyKey', aKey, 'the number 7'],
    [{ idempotencyKey: ['k'] }, 'options.idempotencyKey', aKey, 'an array of 1'],
    [{ idempotencyKey: 'k', operationId: 'o' }, 'options', 'either operationId or idempotencyKey', 'both'],
    [{ operationId: '' }, 'options.operationId', anId, 'an empty string'],
    [{ operationId: ' \n ' }, 'options.operationId', anId, 'a string of 3 characters'],
    [{ operationId: 7 }, 'options.operationId', anId, 'the number 7: write String(order.id)'],
    [{}, 'options.operationId', ownId, 'nothing'],
    [undefined, 'options.operationId', ownId, 'nothing'],
  ])('is refused with the options %j', async (options, path, expected, received) => {
    const { keys, call } = await keysOf(options);
    const error = await failureOf(call, InvalidRequestError);
    expect(error.issues).toMatchObject([{ path, expected, received: expect.stringContaining(received) }]);
    expect(error.message).toMatch(/^paymentIntents\.create: options.* Nothing was sent\.$/);
    expect(keys).toEqual([]);
  });

  it('that is missing is explained', async () => {
    const { message } = await failureOf((await keysOf({})).call, InvalidRequestError);
    expect(message).toContain('pass { operationId } as its last argument, your own id of this one payment');
  });
});

describe('an operationId among the parameters', () => {
  const p = createClient({ fetch: () => Promise.reject(new Error('expected no request')) });
  const by = { operationId: 'order-1' };
  const params = (fields: object) => anything({ ...fields, ...by });
  const keyed = anything({ charge_id: 'ch_1', idempotencyKey: 'k' });

  it.each<readonly [write: string, call: () => Promise<unknown>]>([
    [
      'paymentIntents.capture(id, {}, { operationId })',
      () => p.paymentIntents.capture('pi_1', params({}), by),
    ],
    [
      'paymentIntents.refund(id, params, { op',
      () => p.paymentIntents.refund('pi_1', params({ amount: 5 }), by),
    ],
    ['refunds.create(params, { operationId })', () => p.refunds.create(params({ charge_id: 'ch_1' }), by)],
    ['refunds.create(params, { idempotencyKey })', () => p.refunds.create(keyed, by)],
    ['customers.create(params, { operationId })', () => p.customers.create(params({ first_name: 'Ada' }))],
    ['transact.sale(params, { operationId })', () => p.transact.sale(params(saleParams))],
    ['request(params, { operationId })', () => p.request(params({ method: 'POST', path: '/v1/payouts' }))],
  ])('is refused, and the message says to write %s', async (write, call) => {
    const { message } = await failureOf(call(), InvalidRequestError);
    expect(message).toMatch(/(?:operationId|idempotencyKey): expected an option, got a parameter\. /);
    expect(message).toContain(`Write ${write}`);
  });

  it('is metadata like any other below a parameter', async () => {
    const { paymentIntents } = createClient({ fetch: async () => json(paymentIntent) });
    expect(await paymentIntents.create({ ...intentParams, metadata: by }, by)).toEqual(paymentIntent);
  });
});
