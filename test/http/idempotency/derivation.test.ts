import fc from 'fast-check';
import { deriveIdempotencyKey } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { bySize } from '../../support/size.ts';

/** Any non-blank text: any Unicode including lone surrogates, short or long. */
const notBlank = fc
  .oneof(
    anyText({ minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 60 })
      .map((units) => String.fromCharCode(...units)),
    fc.string({ unit: fc.constantFrom(':', '~', '.', '0', 'a', '%'), minLength: 1, maxLength: 12 }),
  )
  .filter((text) => text.trim() !== '');

describe('deriveIdempotencyKey', () => {
  it('returns the same key for the same inputs', () => {
    fc.assert(
      fc.property(notBlank, notBlank, (operation, id) => {
        expect(deriveIdempotencyKey(operation, id)).toBe(deriveIdempotencyKey(operation, id));
      }),
    );
  });

  it('returns different keys for different operations or ids', () => {
    fc.assert(
      fc.property(notBlank, notBlank, notBlank, notBlank, (operation, id, otherOperation, otherId) => {
        fc.pre(operation !== otherOperation || id !== otherId);
        expect(deriveIdempotencyKey(operation, id)).not.toBe(deriveIdempotencyKey(otherOperation, otherId));
      }),
      { numRuns: bySize({ short: 1_000, all: 5_000 }) },
    );
  });

  it('returns different keys for texts that differ in one character', () => {
    fc.assert(
      fc.property(
        notBlank,
        notBlank,
        fc.nat(),
        fc.integer({ min: 1, max: 0xffff }),
        (operation, id, at, change) => {
          const place = at % id.length;
          const unit = String.fromCharCode(id.charCodeAt(place) ^ change);
          const other = id.slice(0, place) + unit + id.slice(place + 1);
          fc.pre(other.trim() !== '');
          expect(deriveIdempotencyKey(operation, other)).not.toBe(deriveIdempotencyKey(operation, id));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('returns at most 255 printable ASCII characters without blanks', () => {
    fc.assert(
      fc.property(notBlank, notBlank, (operation, id) => {
        expect(deriveIdempotencyKey(operation, id)).toMatch(/^[!-~]{1,255}$/);
      }),
      { numRuns: 2_000 },
    );
    expect(deriveIdempotencyKey('refunds.create', 'x'.repeat(1_000_000))).toMatch(/^pc1h:[0-9a-f]{64}$/);
  });

  it.each([
    ['refunds.create', 'order-1042', 'pc1:refunds.create:order-1042'],
    ['refunds.create', 'é', 'pc1:refunds.create:~00e9'],
    ['a:b', 'c', 'pc1:a~003ab:c'],
    ['a', 'b:c', 'pc1:a:b~003ac'],
    ['refunds.create', '\ud800', 'pc1:refunds.create:~d800'],
  ])('never changes the key of %s %s within a major version', (operation, id, key) => {
    expect(deriveIdempotencyKey(operation, id)).toBe(key);
  });

  it('never changes the key of a long id within a major version', () => {
    // SHA-256 of `refunds.create:xxx…`, computed with another implementation.
    const digest = '7415e5350f7dbd4471d8568458da862b745582a02aadd0cdfb9c8c70e0707446';
    expect(deriveIdempotencyKey('refunds.create', 'x'.repeat(300))).toBe(`pc1h:${digest}`);
  });

  it('returns different keys for ids that look alike', () => {
    const keys = ['é', 'e\u0301', 'É', 'e', ' e', 'e '].map((id) => deriveIdempotencyKey('op', id));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
