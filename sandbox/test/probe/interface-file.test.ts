/** Reaches inside: writes files for any interface, of which a service shows only one. */

import fc from 'fast-check';
import { PaymentsClient, type ServiceInterface } from 'payments-client';
import { expect, test } from 'vitest';
import { type RouteName, routes } from '../../../src/resources/routes.ts';
import {
  errorShapes,
  objectPlaces,
  readServiceInterface,
} from '../../../src/resources/service/service-interface.ts';
import { secretEncodings } from '../../../src/resources/service/webhook-form.ts';
import { bySize } from '../../../test/support/size.ts';
import { writeInterfaceFile } from '../../src/probe/interface-file.ts';

const header = fc.stringMatching(/^[a-z][a-z-]{0,20}[a-z]$/);
const secretEncoding = fc.constantFrom(...secretEncodings);

const webhooks: fc.Arbitrary<NonNullable<ServiceInterface['webhooks']>> = fc.oneof(
  fc.record({ scheme: fc.constant('standardWebhooks' as const), headerPrefix: header }),
  fc.record({
    scheme: fc.constant('timestampedHmac' as const),
    header,
    secretEncoding,
    timestampField: fc.constantFrom('t', 'ts'),
    signatureField: fc.constantFrom('v1', 's'),
  }),
  fc.record({
    scheme: fc.constant('bodyHmac' as const),
    header,
    secretEncoding,
    encoding: fc.constantFrom('hex' as const, 'base64' as const),
  }),
);

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);

const anyRoutes = fc.subarray(Object.keys(routes).filter(isRouteName)).map((names) =>
  Object.fromEntries(
    names.map((name) => {
      const { method, path } = routes[name];
      return [name, `${method} ${path.replace('/v1/', '/v2/')}`] as const;
    }),
  ),
);

/** Any result of a probe. */
const anyInterface: fc.Arbitrary<ServiceInterface> = fc.record(
  {
    version: fc.constant(1 as const),
    routes: anyRoutes,
    itemsField: fc.string({ minLength: 1 }).filter((name) => name !== 'has_more' && name !== 'next_cursor'),
    objectPlace: fc.constantFrom(...objectPlaces),
    errorShape: fc.constantFrom(...errorShapes),
    requestIdHeader: header,
    maxLimit: fc.integer({ min: 1, max: 1000 }),
    timestamps: fc.constantFrom('seconds' as const, 'milliseconds' as const),
    deletion: fc.constantFrom('object' as const, 'confirmation' as const, 'empty' as const),
    idPrefixes: fc.dictionary(
      fc.constantFrom('product', 'account', 'api_key'),
      fc.stringMatching(/^[a-z]{1,16}_$/),
    ),
    formEncoding: fc.constantFrom('urlencoded' as const, 'multipart' as const),
    formResponse: fc.constantFrom('unescaped' as const, 'escaped' as const, 'json' as const),
    formAmounts: fc.constantFrom('currency' as const, 'two-decimals' as const, 'integer' as const),
    webhooks,
  },
  { requiredKeys: ['version'] },
);

/** Returns the same object with its fields in reverse order, at every level. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, reversed(inner)] as const);
  return Object.fromEntries(entries.reverse());
}

/** Returns every key of an object, level by level, in the order of the text. */
function keysOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [Object.keys(value), ...Object.values(value).flatMap(keysOf)];
}

test('is read back unchanged, accepted by a client, and the same text for any order of its fields', () => {
  fc.assert(
    fc.property(anyInterface, (found) => {
      const text = writeInterfaceFile(found);
      const written: unknown = JSON.parse(text);
      const { known, issues } = readServiceInterface(written);
      expect(issues).toEqual([]);
      const { $schema, ...rest } = known;
      expect($schema).toMatch(/dist\/interface\.schema\.json$/);
      expect(rest).toEqual({ ...found });
      expect(writeInterfaceFile(readServiceInterface(reversed(found)).known)).toBe(text);
      for (const [index, keys] of keysOf(written).entries()) {
        expect(keys).toEqual(index === 0 ? ['$schema', ...keys.slice(1).sort()] : [...keys].sort());
      }
      expect(text).toMatch(/^\{\n {2}"\$schema": .*\}\n$/s);
      const options = { baseUrl: 'https://payments.example.com', secretKey: 'sk_v1_test_1' };
      expect(new PaymentsClient({ ...options, interface: Object(written) })).toBeInstanceOf(PaymentsClient);
    }),
    { numRuns: bySize({ short: 40, all: 300 }) },
  );
});
