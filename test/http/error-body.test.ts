/** What is read of a refusal's body: its code and its message, from whatever shape it has, and nothing that is neither. */

import { ApiError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient } from '../support/mock-service.ts';

function refusalOf(body: string): Promise<ApiError> {
  const { refunds } = createClient({ fetch: async () => new Response(body, { status: 400 }), maxRetries: 0 });
  return failureOf(refunds.retrieve('rf_1'), ApiError);
}

/** The code, and what the message says between our own words. */
async function readFrom(body: string): Promise<readonly [code: string | undefined, said: string]> {
  const { code, message } = await refusalOf(body);
  const [, said] =
    /^refunds\.retrieve: expected a 2xx response, got 400(.*?)\.(?: The whole text is in error\.body\.)?$/.exec(
      message,
    ) ?? [undefined, message];
  return [code, said ?? ''];
}

const json = JSON.stringify;

describe('a code', () => {
  const longest = `c_${'x'.repeat(62)}`;

  it.each<[what: string, body: string, code: string | undefined]>([
    ['is a word', json({ code: 'card_declined' }), 'card_declined'],
    ['is a number', json({ code: 77 }), '77'],
    ['is no number without end', '{"code":1e999}', undefined],
    ['is no truth value', json({ code: true }), undefined],
    ['is no object', json({ code: { a: 1 } }), undefined],
    ['is no null', json({ code: null, reason: 'r_1' }), 'r_1'],
    ['is no sentence', json({ code: 'not a code', type: 't_1' }), 't_1'],
    ['has 64 characters', json({ code: longest }), longest],
    ['has no more', json({ code: `${longest}x` }), undefined],
    ['is no single word of a text', json({ error: 'declined' }), undefined],
    ['is a text with an underscore', json({ error: 'card_declined' }), 'card_declined'],
    ['has five digits', json({ code: 'E_12345' }), 'E_12345'],
    ['has no six, which may be those of a card', json({ code: 'E_123456' }), undefined],
    ['is no key', json({ code: 'sk_v1_live_abcdefgh' }), undefined],
  ])('%s', async (_what, body, code) => {
    expect((await refusalOf(body)).code).toBe(code);
  });
});

describe('a message', () => {
  it.each<[what: string, body: string, said: string]>([
    ['stands without the blanks around it', json({ message: '  m one ' }), ': m one'],
    ['of blanks is none', json({ message: '  ', detail: 'm one' }), ': m one'],
    ['that is a number is none', json({ message: 5, title: 'm one' }), ': m one'],
    ['that is null is none', json({ message: null }), ''],
    ['is text', ' m one\n', ': m one'],
    ['is text that speaks of <html>', 'an <html> page', ': an <html> page'],
  ])('%s', async (_what, body, said) => {
    expect(await readFrom(body)).toEqual([undefined, said]);
  });
});

describe('the fields of an error', () => {
  it.each(['code', 'error_code', 'errorCode', 'reason', 'type'])('have a code in %s', async (field) => {
    expect(await readFrom(json({ [field]: 'c_1' }))).toEqual(['c_1', ' c_1']);
  });

  it.each(['message', 'detail', 'error_description', 'description', 'title', 'error_message'])(
    'have words in %s',
    async (field) => {
      expect(await readFrom(json({ [field]: 'm one' }))).toEqual([undefined, ': m one']);
    },
  );

  it.each(['error', 'errors', 'fault', 'failure', 'issues', 'violations'])(
    'have another error in %s',
    async (field) => {
      expect(await readFrom(json({ [field]: [{ code: 'c_1' }] }))).toEqual(['c_1', ' c_1']);
    },
  );

  it('that mean nothing are not read', async () => {
    expect(await readFrom(json({ status: 'c_1', note: 'm one', cause: { code: 'c_1' } }))).toEqual([
      undefined,
      '',
    ]);
  });
});

describe('of two errors in one body', () => {
  const inner = { code: 'inner_1', message: 'in' };
  const outer = { code: 'outer_1', message: 'out' };
  it.each<[what: string, body: unknown, code: string, said: string]>([
    ['the one under error counts', { ...outer, error: inner }, 'inner_1', 'in'],
    ['the first one under error counts', { ...outer, error: [inner, outer] }, 'inner_1', 'in'],
    ['the whole counts before a list', { ...outer, errors: [inner] }, 'outer_1', 'out'],
    ['the whole counts before a word', { ...outer, error: 'inner_1' }, 'outer_1', 'out'],
    ['one gives what the other lacks', { code: 'outer_1', errors: [inner] }, 'outer_1', 'in'],
  ])('%s', async (_what, body, code, said) => {
    expect(await readFrom(json(body))).toEqual([code, ` ${code}: ${said}`]);
  });
});

describe('an error by field', () => {
  it.each<[what: string, body: unknown, said: string]>([
    ['names the field', { amount: ['too low'] }, ': amount: too low'],
    ['is told once', { amount: ['too low', 'too odd'], currency: ['unknown'] }, ': amount: too low'],
    ['stands after fields that are no lists', { at: 1, from: null, note: 'n', amount: ['x'] }, ': amount: x'],
    ['stands after lists of something else', { ids: [1], amount: ['x'] }, ': amount: x'],
    ['without words is none', { amount: [' '] }, ''],
  ])('%s', async (_what, body, said) => {
    expect(await readFrom(json(body))).toEqual([undefined, said]);
  });
});

describe('what is nested', () => {
  function nested(levels: number, value: unknown): unknown {
    return levels === 0 ? value : { error: nested(levels - 1, value) };
  }
  const found = { code: 'c_1', message: 'm one' };

  it.each<[what: string, body: unknown, seen: boolean]>([
    ['in three objects is read', nested(3, found), true],
    ['in four is not', nested(4, found), false],
    ['in three lists is read', [[[found]]], true],
    ['in four is not', [[[[found]]]], false],
    ['by field in three objects is read', nested(3, { amount: ['m one'] }), true],
    ['by field in four is not', nested(4, { amount: ['m one'] }), false],
  ])('%s', async (_what, body, seen) => {
    const [, said] = await readFrom(json(body));
    expect(said.endsWith('m one')).toBe(seen);
    expect(said === '').toBe(!seen);
  });

  it.each(['null', '7', 'true', '[]', '{}', '""', ''])('says nothing in %s', async (body) => {
    expect(await readFrom(body)).toEqual([undefined, '']);
  });
});

describe('a page of HTML', () => {
  const title = 'Bad '.repeat(75);
  const shown = `${'Bad '.repeat(30).trim()}…`;
  it.each<[what: string, html: string, said: string]>([
    ['says its title', '<html><title>Bad Gateway</title><h1>nginx</h1>', ': Bad Gateway'],
    ['says its heading', '<!doctype html><body><h1 class="big">Bad Gateway</h1>', ': Bad Gateway'],
    ['may begin with blanks', '\n  <html><title>Bad Gateway</title>', ': Bad Gateway'],
    ['may be XML', '<?xml version="1.0"?><title>Bad Gateway</title>', ': Bad Gateway'],
    ['without either says nothing', '<html><p>Bad Gateway</p>', ''],
    ['with an empty one says nothing', '<html><title> </title>', ''],
    ['has a title of 300 characters', `<html><title>${title}</title>`, `: ${shown}`],
    ['has no longer one', `<html><title>${title}x</title>`, ''],
    ['is looked at for 64 KiB', `<html>${' '.repeat(65_480)}<title>Bad Gateway</title>`, ': Bad Gateway'],
    ['is looked at no further', `<html>${' '.repeat(65_536)}<title>Bad Gateway</title>`, ''],
    ['names by number', '<html><title>a&#39;b&#8217;c</title>', ": a'b’c"],
    ['names by hexadecimal number', '<html><title>a&#x2F;b&#X2019;c</title>', ': a/b’c'],
    ['names by name', '<html><title>&lt;a&gt; &quot;b&apos; c</title>', ': <a> "b\' c'],
    ['may name what is not known', '<html><title>a&nbsp;b no &#xyz;</title>', ': … no …'],
  ])('%s', async (_what, html, said) => {
    expect(await readFrom(html)).toEqual([undefined, said]);
  });

  it('has the code that its title begins with, and none that it merely holds', async () => {
    const html = '<html><title>CARD_DECLINED: No</title><p>IDEMPOTENCY_ROUTE_CONFLICT</p>';
    expect((await refusalOf(html)).code).toBe('CARD_DECLINED');
    expect((await refusalOf(html.replace('CARD_DECLINED: ', ''))).code).toBeUndefined();
    expect((await refusalOf(html)).body).toBe(html);
  });
});
