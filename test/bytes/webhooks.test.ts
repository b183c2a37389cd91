/** Whatever a sender of webhooks delivers, it is an event that its sender signed, or is refused with a reason. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventOf } from '../support/deliveries.ts';
import { anyValue, ownError } from './dimensions.ts';
import { assertAlways, testParsers } from './parser.ts';
import { deliveries, reasonOf, webhooks } from './parsers/deliveries.ts';
import { events } from './parsers/events.ts';
import { endingOf } from './service.ts';

testParsers([...deliveries, events]);

const headerNames = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-signature',
  'get',
  '__proto__',
];

describe.each(Object.entries(webhooks))('in the scheme %s', (name, verifier) => {
  it('headers and bodies of any type are refused with a reason', async () => {
    const fields = fc.dictionary(fc.constantFrom(...headerNames), anyValue);
    const headers = fc.oneof(anyValue, fields).filter((value) => !(value instanceof Map));
    const inputs = fc.tuple(fc.oneof(anyValue, fc.constant('{}')), headers);
    await assertAlways(`in the scheme ${name}`, inputs, 300, async (args) => {
      const call: unknown = Reflect.apply(verifier.verify, verifier, args);
      const ending = await endingOf(Promise.resolve(call));
      if (!('error' in ending)) throw new Error('expected a refusal');
      if (ending.error !== ownError) reasonOf(ending.error);
    });
  });

  it('a delivery is the same event in every type of headers', async () => {
    const body = JSON.stringify(eventOf('refund.created'));
    const headers = await verifier.sign(body, { id: 'msg_1' });
    const fields = Object.entries(headers);
    const shapes: readonly object[] = [
      new Headers(headers),
      new Map(fields),
      Object.fromEntries(fields.map(([field, value]) => [field.toUpperCase(), value])),
      Object.fromEntries(fields.map(([field, value]) => [field, [value]])),
      Object.assign(Object.create(null), headers),
      Object.fromEntries([...fields, ['x-huge', 'x'.repeat(100_000)], ['é', 'é'], ['constructor', 'x']]),
    ];
    for (const shape of shapes) {
      expect(await Reflect.apply(verifier.verify, verifier, [body, shape])).toMatchObject({ id: 'evt_1' });
    }
  });
});
