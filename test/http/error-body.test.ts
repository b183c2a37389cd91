/** The code and the message of an error body, in any shape of the body. */

import { ApiError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient } from '../support/mock-service.ts';

function errorOf(body: string): Promise<ApiError> {
  const { refunds } = createClient({ fetch: async () => new Response(body, { status: 400 }), maxRetries: 0 });
  return failureOf(refunds.retrieve('rf_1'), ApiError);
}

/** The code, and the part of the message that quotes the body. */
async function read(body: string): Promise<readonly [code: string | undefined, quote: string]> {
  const { code, message } = await errorOf(body);
  const [, shown, detail] =
    /status 400(?:, code ([^ ]+))?\.(?: The service says: (.*))?$/.exec(message) ?? [];
  const quote = [shown && ` ${shown}`, detail && `: ${detail}`].join('');
  return [code, quote];
}

const json = JSON.stringify;

describe('an error body', () => {
  it.each<[shape: string, body: string, code: string | undefined, message: string]>([
    ['nested', json({ error: { code: 'c_1', message: 'm one' } }), 'c_1', 'm one'],
    ['flat', json({ code: 'c_1', message: 'm one' }), 'c_1', 'm one'],
    ['OAuth', json({ error: 'c_1', error_description: 'm one' }), 'c_1', 'm one'],
    ['a list', json({ errors: [{ code: 'c_1', detail: 'm one' }, { code: 'c_2' }] }), 'c_1', 'm one'],
    ['a bare list', json([{ code: 'c_1', message: 'm one' }]), 'c_1', 'm one'],
    [
      'problem+json',
      json({ type: 'https://x.test/p', title: 'Bad', status: 400, detail: 'm one', code: 'c_1' }),
      'c_1',
      'm one',
    ],
    ['a list of strings', json({ errors: ['m one'] }), undefined, 'm one'],
    ['by field', json({ errors: { amount: ['must be positive'] } }), undefined, 'amount: must be positive'],
    ['a JSON string', json('m one'), undefined, 'm one'],
    [
      'text with a documented code',
      'IDEMPOTENCY_BODY_MISMATCH: other body',
      'IDEMPOTENCY_BODY_MISMATCH',
      'IDEMPOTENCY_BODY_MISMATCH: other body',
    ],
  ])('is read if its shape is %s', async (_shape, body, code, message) => {
    const shown = code === undefined ? '' : ` ${code}`;
    expect(await read(body)).toEqual([code, `${shown}: ${message}`]);
  });
});

describe('a code', () => {
  const longest = `c_${'x'.repeat(62)}`;

  it.each<[what: string, body: string, code: string | undefined]>([
    ['may be a word', json({ code: 'card_declined' }), 'card_declined'],
    ['may be a number', json({ code: 77 }), '77'],
    ['is not an infinite number', '{"code":1e999}', undefined],
    ['is not a boolean', json({ code: true }), undefined],
    ['is not an object', json({ code: { a: 1 } }), undefined],
    ['is not null', json({ code: null, reason: 'r_1' }), 'r_1'],
    ['is not a sentence', json({ code: 'not a code', type: 't_1' }), 't_1'],
    ['may have 64 characters', json({ code: longest }), longest],
    ['does not have more', json({ code: `${longest}x` }), undefined],
    ['is not a single word of a text', json({ error: 'declined' }), undefined],
    ['may be a text with an underscore', json({ error: 'card_declined' }), 'card_declined'],
    ['may have digits', json({ code: 'E_123456' }), 'E_123456'],
    ['is not a key', json({ code: 'sk_v1_live_abcdefgh' }), undefined],
    ['is not the status', json({ code: 400, error_code: 'c_1' }), 'c_1'],
    ['is not the status in a word', json({ code: 'HTTP_400_ERROR', errors: [{ code: 'c_1' }] }), 'c_1'],
    ['is not the word error', json({ type: 'error' }), undefined],
    ['may contain the digits of the status', json({ code: 4001 }), '4001'],
    ['may contain the word error', json({ code: 'card_error' }), 'card_error'],
  ])('%s', async (_what, body, code) => {
    expect((await errorOf(body)).code).toBe(code);
  });
});

describe('a message', () => {
  it.each<[what: string, body: string, quote: string]>([
    ['is trimmed', json({ message: '  m one ' }), ': m one'],
    ['of blanks is ignored', json({ message: '  ', detail: 'm one' }), ': m one'],
    ['that is a number is ignored', json({ message: 5, title: 'm one' }), ': m one'],
    ['that is null is ignored', json({ message: null }), ''],
    ['may be plain text', ' m one\n', ': m one'],
    ['may be plain text that mentions <html>', 'an <html> page', ': an <html> page'],
  ])('%s', async (_what, body, quote) => {
    expect(await read(body)).toEqual([undefined, quote]);
  });
});

describe('the fields of an error body', () => {
  it.each(['code', 'error_code', 'errorCode', 'reason', 'type'])('contain a code in %s', async (field) => {
    expect(await read(json({ [field]: 'c_1' }))).toEqual(['c_1', ' c_1']);
  });

  it.each(['message', 'detail', 'error_description', 'description', 'title', 'error_message'])(
    'contain a message in %s',
    async (field) => {
      expect(await read(json({ [field]: 'm one' }))).toEqual([undefined, ': m one']);
    },
  );

  it.each(['error', 'errors', 'fault', 'failure', 'issues', 'violations'])(
    'contain a nested error in %s',
    async (field) => {
      expect(await read(json({ [field]: [{ code: 'c_1' }] }))).toEqual(['c_1', ' c_1']);
    },
  );

  it('with other names are not read', async () => {
    const body = { status: 'c_1', note: 'm one', cause: { code: 'c_1' }, constructor: { code: 'c_1' } };
    expect(await read(json(body))).toEqual([undefined, '']);
  });
});

describe('of two errors in one body', () => {
  const inner = { code: 'inner_1', message: 'in' };
  const outer = { code: 'outer_1', message: 'out' };
  it.each<[what: string, body: unknown, code: string, quote: string]>([
    ['the one under error wins', { ...outer, error: inner }, 'inner_1', 'in'],
    ['the first one under error wins', { ...outer, error: [inner, outer] }, 'inner_1', 'in'],
    ['the outer one wins over a list', { ...outer, errors: [inner] }, 'outer_1', 'out'],
    ['the outer one wins over a word', { ...outer, error: 'inner_1' }, 'outer_1', 'out'],
    ['one supplies the field that the other lacks', { code: 'outer_1', errors: [inner] }, 'outer_1', 'in'],
  ])('%s', async (_what, body, code, quote) => {
    expect(await read(json(body))).toEqual([code, ` ${code}: ${quote}`]);
  });
});

describe('an error by field', () => {
  it.each<[what: string, body: unknown, quote: string]>([
    ['is quoted with its field', { amount: ['too low'] }, ': amount: too low'],
    ['is quoted once', { amount: ['too low', 'too odd'], currency: ['unknown'] }, ': amount: too low'],
    ['may follow fields that are not lists', { at: 1, from: null, note: 'n', amount: ['x'] }, ': amount: x'],
    ['may follow lists of other values', { ids: [1], amount: ['x'] }, ': amount: x'],
    ['without text is ignored', { amount: [' '] }, ''],
  ])('%s', async (_what, body, quote) => {
    expect(await read(json(body))).toEqual([undefined, quote]);
  });
});

describe('an error body that is nested', () => {
  function nested(levels: number, value: unknown): unknown {
    return levels === 0 ? value : { error: nested(levels - 1, value) };
  }
  const found = { code: 'c_1', message: 'm one' };

  it.each<[what: string, body: unknown, seen: boolean]>([
    ['in three objects is read', nested(3, found), true],
    ['in four objects is not read', nested(4, found), false],
    ['in three lists is read', [[[found]]], true],
    ['in four lists is not read', [[[[found]]]], false],
    ['by field in three objects is read', nested(3, { amount: ['m one'] }), true],
    ['by field in four objects is not read', nested(4, { amount: ['m one'] }), false],
  ])('%s', async (_what, body, seen) => {
    const [, quote] = await read(json(body));
    expect(quote.endsWith('m one')).toBe(seen);
    expect(quote === '').toBe(!seen);
  });

  it.each(['null', '7', 'true', '[]', '{}', '""', ''])('has no message in %s', async (body) => {
    expect(await read(body)).toEqual([undefined, '']);
  });
});

describe('a page of HTML', () => {
  const title = 'Bad '.repeat(75);
  it.each<[what: string, html: string, quote: string]>([
    ['is quoted by its title', '<html><title>Bad Gateway</title><h1>nginx</h1>', ': Bad Gateway'],
    ['is quoted by its heading', '<!doctype html><body><h1 class="big">Bad Gateway</h1>', ': Bad Gateway'],
    ['may begin with blanks', '\n  <html><title>Bad Gateway</title>', ': Bad Gateway'],
    ['may be XML', '<?xml version="1.0"?><title>Bad Gateway</title>', ': Bad Gateway'],
    ['without either has no message', '<html><p>Bad Gateway</p>', ''],
    ['with an empty title has no message', '<html><title> </title>', ''],
    ['may have a title of 300 characters', `<html><title>${title}</title>`, `: ${title.trim()}`],
    ['is not quoted if its title is longer', `<html><title>${title}x</title>`, ''],
    ['is searched for 64 KiB', `<html>${' '.repeat(65_480)}<title>Bad Gateway</title>`, ': Bad Gateway'],
    ['is not searched further', `<html>${' '.repeat(65_536)}<title>Bad Gateway</title>`, ''],
    ['has blanks in place of entities', '<html><title>a&#39;b&#x2F;c &amp; d</title>', ': a b c d'],
  ])('%s', async (_what, html, quote) => {
    expect(await read(html)).toEqual([undefined, quote]);
  });

  it('has the code at the start of its title, but not a code elsewhere in it', async () => {
    const html = '<html><title>CARD_DECLINED: No</title><p>IDEMPOTENCY_ROUTE_CONFLICT</p>';
    expect((await errorOf(html)).code).toBe('CARD_DECLINED');
    expect((await errorOf(html.replace('CARD_DECLINED: ', ''))).code).toBeUndefined();
    expect((await errorOf(html)).body).toBe(html);
  });
});
