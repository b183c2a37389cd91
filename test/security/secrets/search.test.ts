/** The search finds each canary, in each encoding, whole and in part, anywhere in a value. */

import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '../../../src/base/redact.ts';
import { cardNumber, cardNumbers, everyCanary, secretKey, securityKey } from './canaries.ts';
import { encodings } from './encodings.ts';
import { Outputs } from './outputs.ts';
import { findCanaries } from './search.ts';

const namesIn = (text: string) => findCanaries(text).map(({ canary }) => canary.name);

const bytes: typeof encodings = {
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 after a name': (text) => Buffer.from(`key:${text}`).toString('base64'),
  'in base64 before a colon': (text) => Buffer.from(`a=${text}:`).toString('base64'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'as an array of bytes': (text) => [...Buffer.from(text)].join(', '),
};

it.each(Object.entries({ ...encodings, ...bytes }))('finds each canary %s', (how, encode) => {
  const canaries = everyCanary.filter(({ kind }) => !(how in bytes) || kind !== 'short digits');
  const missed = canaries.filter(
    ({ name, text }) => !namesIn(`it was <${encode(text)}>, we think`).includes(name),
  );
  expect(missed).toEqual([]);
});

it.each<[what: string, hide: (text: string) => unknown]>([
  ['a message', (text) => new Error(text)],
  ['a nested cause', (text) => new Error('', { cause: new Error('', { cause: { text } }) })],
  ['an AggregateError', (text) => new AggregateError([new Error(text)])],
  ['a stack', (text) => Object.assign(new Error(''), { stack: text })],
  ['a field of an error', (text) => Object.assign(new Error(''), { request: { text } })],
  ['a hidden field', (text) => Object.defineProperty({}, 'x', { value: text })],
  ['a field under a symbol', (text) => ({ [Symbol('x')]: text })],
  ['a symbol', (text) => ({ [Symbol(text)]: 1 })],
  ['a field name', (text) => ({ [text]: 1 })],
  ['a map', (text) => new Map([['x', new Map([[text, 1]])]])],
  ['the result of toJSON', (text) => ({ toJSON: () => text })],
  ['the result of toString', (text) => ({ toString: () => text })],
  ['a promise', (text) => Promise.resolve(text)],
  ['headers', (text) => new Headers({ 'x-seen': encodeURIComponent(text) })],
  ['bytes', (text) => new TextEncoder().encode(text)],
  ['an array of 101 items', (text) => [...Array.from({ length: 100 }), text]],
])('finds a canary in %s, among other outputs', (_what, hide) => {
  const out = new Outputs();
  out.add('before', 'harmless');
  out.add('here', { deep: [{ deeper: hide(`so ${secretKey}.`) }] });
  out.add('after', cardNumber);
  const cards = { canary: ({ kind }: { kind: string }) => kind === 'card number', why: 'allowed' };
  expect(out.leaks(cards)).toEqual([expect.stringMatching(/^secretKey in .*here/)]);
  expect(out.leaks()).toHaveLength(2);
});

describe('finds a part', () => {
  it('of a secret, if it is a half of it', () => {
    const half = Math.ceil(securityKey.length / 2);
    for (let at = 0; at + half <= securityKey.length; at += 1)
      expect(namesIn(`…${securityKey.slice(at, at + half)}…`), String(at)).toEqual(['securityKey']);
  });

  it('of a card number, if it is six digits other than the first six or the last four', () => {
    for (const number of cardNumbers) {
      for (let at = 1; at + 6 <= number.length; at += 1)
        expect(namesIn(`x${number.slice(at, at + 6)}x`), String(at)).toEqual([`card ${number.length}`]);
      expect(namesIn(`${number.slice(0, 6)}******${number.slice(-4)}`)).toEqual([]);
    }
    expect(cardNumbers.map(hasValidCheckDigit)).toEqual([true, true, true]);
  });
});

it.each([
  'http://127.0.0.1:47392 took 12.7392 ms or 7392.5 ms, 0.73920, id 173921, 2078-11-01',
  `sk_v1_test_ whsec_ tok_ ${cardNumber.slice(0, 4)} ${cardNumber.slice(-4)}`,
  'c5b7d52e-4716-0839-8a5d-27506181aaaa',
  '17.083927506181204 ms',
])('finds no canary in %s', (harmless) => {
  expect(findCanaries(harmless)).toEqual([]);
});
