import { inspect } from 'node:util';
import { PaymentsClient } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';

const secretKey = 'sk_v1_test_k4n4ry';
const securityKey = 'k4n4ry-of-the-form';
const payments = new PaymentsClient({
  baseUrl: 'https://payments.test',
  secretKey,
  securityKey,
  journal: { store: memoryStore() },
});

/** Every name of an object, also inherited and not enumerable ones. */
function namesOf(value: object): PropertyKey[] {
  const parent: unknown = Object.getPrototypeOf(value);
  const inherited = typeof parent === 'object' && parent !== null ? namesOf(parent) : [];
  return [...Reflect.ownKeys(value), ...inherited];
}

/** All objects that a program reaches from a value without calling anything but getters, and the way to each. */
function reachable(root: object): Map<object, string> {
  const found = new Map<object, string>([[root, 'payments']]);
  for (const [value, path] of found) {
    for (const name of namesOf(value)) {
      if (name === '__proto__' || name === 'caller' || name === 'callee' || name === 'arguments') continue;
      const inner: unknown = Reflect.get(value, name);
      const at = `${path}.${String(name)}`;
      expect(String(typeof inner === 'string' ? inner : ''), at).not.toMatch(/k4n4ry/);
      if (typeof inner === 'object' && inner !== null && !found.has(inner)) found.set(inner, at);
    }
  }
  return found;
}

describe('a client', () => {
  it('has no property that leads to a key or a connection', () => {
    const paths = [...reachable(payments).values()];
    expect(paths).toEqual(
      expect.arrayContaining(['payments.refunds', 'payments.transact', 'payments.journal']),
    );
    expect(paths.filter((path) => /api$|connection$|definition$/i.test(path))).toEqual([]);
  });

  it.each(['refunds', 'products', 'paymentIntents'] as const)('keeps the parts of %s private', (name) => {
    const collection = payments[name];
    for (const part of ['api', 'definition', 'connection']) expect(part in collection).toBe(false);
    expect(Object.keys(collection)).toEqual([]);
    expect(inspect(collection, { showHidden: true, depth: 9 })).not.toMatch(/k4n4ry|baseUrl|connection/);
    expect(JSON.stringify(collection)).toBe('{}');
  });
});
