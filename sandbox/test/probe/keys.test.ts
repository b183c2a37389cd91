/** Reaches inside: a service cannot be made to print every spelling, and none of them may be taken for another word. */

import { expect, test } from 'vitest';
import { routes } from '../../../src/resources/routes.ts';
import { keyFinder } from '../../src/probe/keys.ts';

const key = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
const holdsKey = keyFinder([key, 'sec_9HqLyjWDarjtT1zdp7dcXy']);
const bytes = (text: string) => Buffer.from(text);

test.each([
  ['as it is', key],
  ['within another word', `customer_${key}_1`],
  ['in part', key.slice(12, 24)],
  ['in capitals', key.toUpperCase()],
  ['with separators', key.match(/.{1,4}/g)?.join("', '") ?? ''],
  ['in base64', bytes(key).toString('base64')],
  ['in base64 after a character', bytes(`x${key}`).toString('base64')],
  ['in base64 after two characters', bytes(`xy${key}`).toString('base64')],
  ['in base64 for URLs', bytes(`xy${key}`).toString('base64url')],
  ['in hexadecimal', bytes(key).toString('hex').toUpperCase()],
  ['of the other kind', 'SEC-9HQLYJWDARJTT1ZDP7DCXY'],
  ['that is not known, but looks like one', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
])('finds a key %s', (_, text) => {
  expect(holdsKey(text)).toBe(true);
});

test('finds none in paths, in words of services, and in ids', () => {
  const ids = ['cus_NffrFeUfNV2Hib', '6f1c1c1e-8f7a-4d7b-9d55-3f1b2a6c7d8e', 'obj_0001', '174927462'];
  const words = ['data', 'results', 'requires_capture', 'x-correlation-id', 'sk_', 'secondary_key'];
  const paths = Object.values(routes).map(({ path }) => path);
  expect([...ids, ...words, ...paths].filter(holdsKey)).toEqual([]);
});

test('a text too long to be searched counts as holding one', () => {
  expect(holdsKey('a'.repeat(8 * 1024))).toBe(false);
  expect(holdsKey('a'.repeat(8 * 1024 + 1))).toBe(true);
});
