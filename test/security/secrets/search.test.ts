/** The search finds each canary, in each encoding, whole and in part, anywhere in a value. */

import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '../../../src/base/card-number.ts';
import { cardNumber, cardNumbers, everyCanary, secretKey, securityKey } from './canaries.ts';
import { encodings } from './encodings.ts';
import { Outputs } from './outputs.ts';
import { findCanaries } from './search.ts';

const namesIn = (text: string) => findCanaries(text).map(({ canary }) => canary.name);

const bytes: Readonly<Record<string, (text: string) => string>> = {
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 after a name': (text) => Buffer.from(`key:${text}`).toString('base64'),
  'in base64 before a colon': (text) => Buffer.from(`a=${text}:`).toString('base64'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'as an array of bytes': (text) => [...Buffer.from(text)].join(', '),
};

describe('finds a canary', () => {
  const longOnes = everyCanary.filter(({ kind }) => kind !== 'short digits');

  it.each(Object.keys(encodings))('%s', (how) => {
    const missed = everyCanary.filter(
      ({ name, text }) => !namesIn(`it was ${encodings[how]?.(text)}, we think`).includes(name),
    );
    expect(missed).toEqual([]);
  });

  it.each(Object.keys(bytes))('%s', (how) => {
    const missed = longOnes.filter(({ name, text }) => !namesIn(`<${bytes[how]?.(text)}>`).includes(name));
    expect(missed).toEqual([]);
  });

  it.each<[what: string, hide: (text: string) => unknown]>([
    ['in a message', (text) => new Error(text)],
    ['in a nested cause', (text) => new Error('', { cause: new Error('', { cause: { text } }) })],
    ['in an AggregateError', (text) => new AggregateError([new Error(text)])],
    ['in a stack', (text) => Object.assign(new Error(''), { stack: text })],
    ['in a field of an error', (text) => Object.assign(new Error(''), { request: { text } })],
    ['in a hidden field', (text) => Object.defineProperty({}, 'x', { value: text })],
    ['under a symbol', (text) => ({ [Symbol('x')]: text })],
    ['in a symbol', (text) => ({ [Symbol(text)]: 1 })],
    ['in a field name', (text) => ({ [text]: 1 })],
    ['in a map', (text) => new Map([['x', new Map([[text, 1]])]])],
    ['in the result of toJSON', (text) => ({ toJSON: () => text })],
    ['in the result of toString', (text) => ({ toString: () => text })],
    ['in a promise', (text) => Promise.resolve(text)],
    ['in headers', (text) => new Headers({ 'x-seen': encodeURIComponent(text) })],
    ['in bytes', (text) => new TextEncoder().encode(text)],
    ['in an array of 101 items', (text) => [...Array.from({ length: 100 }), text]],
  ])('%s', (_what, hide) => {
    const out = new Outputs();
    out.add('here', { deep: [{ deeper: hide(`so ${secretKey}.`) }] });
    expect(out.leaks()).toEqual([expect.stringMatching(/^secretKey in .*here/)]);
  });
});

describe('finds a part', () => {
  it('of a secret, if it is a half of it', () => {
    const own = securityKey;
    const half = Math.ceil(own.length / 2);
    for (let at = 0; at + half <= own.length; at += 1) {
      expect(namesIn(`…${own.slice(at, at + half)}…`), String(at)).toEqual(['securityKey']);
    }
  });

  it('of a card number, if it is six digits other than the first six or the last four', () => {
    for (const number of cardNumbers) {
      const name = `card ${number.length}`;
      for (let at = 1; at + 6 <= number.length; at += 1) {
        expect(namesIn(`x${number.slice(at, at + 6)}x`), String(at)).toEqual([name]);
      }
      expect(namesIn(`${number.slice(0, 6)}******${number.slice(-4)}`)).toEqual([]);
    }
  });
});

describe('finds no canary', () => {
  it.each([
    'http://127.0.0.1:47392 took 12.7392 ms or 7392.5 ms, 0.73920, id 173921, 2078-11-01',
    `sk_v1_test_ whsec_ tok_ ${cardNumber.slice(0, 4)} ${cardNumber.slice(-4)}`,
    'c5b7d52e-4716-0839-8a5d-27506181aaaa',
    '17.083927506181204 ms',
  ])('in %s', (harmless) => {
    expect(findCanaries(harmless)).toEqual([]);
  });
});

it('uses card numbers that the SDK would send', () => {
  expect(cardNumbers.map(hasValidCheckDigit)).toEqual([true, true, true]);
});
