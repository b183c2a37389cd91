import { inspect } from 'node:util';
import { PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';

const payments = new PaymentsClient({
  baseUrl: 'https://payments.test',
  secretKey: 'sk_v1_test_k4n4ry',
  securityKey: 'k4n4ry-of-the-form',
  journal: createJournal({ store: memoryStore() }),
});

/** Every name of an object, also inherited and not enumerable ones. */
function namesOf(value: object): PropertyKey[] {
  const parent: unknown = Object.getPrototypeOf(value);
  const inherited = typeof parent === 'object' && parent !== null ? namesOf(parent) : [];
  return [...Reflect.ownKeys(value), ...inherited];
}

it('a client has no property that leads to a key or a connection, by any way', () => {
  // All objects that a program reaches without calling anything but getters, and the way to each.
  const found = new Map<object, string>([[payments, 'payments']]);
  for (const [value, path] of found) {
    expect(inspect(value, { showHidden: true, depth: 9 }), path).not.toMatch(/k4n4ry/);
    for (const name of namesOf(value)) {
      if (name === '__proto__' || name === 'caller' || name === 'callee' || name === 'arguments') continue;
      const inner: unknown = Reflect.get(value, name);
      const at = `${path}.${String(name)}`;
      expect(String(typeof inner === 'string' ? inner : ''), at).not.toMatch(/k4n4ry/);
      if (typeof inner === 'object' && inner !== null && !found.has(inner)) found.set(inner, at);
    }
  }
  const paths = [...found.values()];
  expect(paths).toEqual(
    expect.arrayContaining(['payments.refunds', 'payments.transact', 'payments.journal']),
  );
  expect(paths.filter((path) => /(?:api|connection|definition)$/i.test(path))).toEqual([]);
  expect(JSON.stringify(payments)).not.toMatch(/k4n4ry/);
  for (const name of ['refunds', 'products', 'paymentIntents'] as const)
    expect(JSON.stringify(payments[name])).toBe('{}');
});
