/** The code and the message that are read from an error body, in any shape. */

import { ApiError, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { createClient } from '../../support/mock-service.ts';

function errorOf(body: unknown, options: PaymentsClientOptions = {}, status = 400): Promise<ApiError> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { refunds } = createClient({ fetch: async () => new Response(text, { status }), ...options });
  return failureOf(refunds.retrieve('rf_1'), ApiError);
}

/** The code, and the part of the message that quotes the service. */
async function read(body: unknown, options: PaymentsClientOptions = {}) {
  const { code, message } = await errorOf(body, options);
  const [head = '', quote = ''] = message.split(' The service says: ');
  // The message names each code that the error has.
  expect(head.endsWith(code === undefined ? 'status 400.' : `status 400, code ${code}.`)).toBe(true);
  return [code, quote];
}

type Reading = readonly [what: string, body: unknown, code: string | undefined, quote: string];

const [inner, outer] = [
  { code: 'inner_1', message: 'in' },
  { code: 'outer_1', message: 'out' },
];
const both = { code: 'c_1', message: 'm one' };
const nested = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { error: nested(levels - 1, value) };
const longest = `c_${'x'.repeat(62)}`;
const problem = { type: 'https://x.test/p', title: 'Bad', status: 400, detail: 'm one', code: 'c_1' };

const shapes: readonly Reading[] = [
  ['nested', { error: both }, 'c_1', 'm one'],
  ['flat', both, 'c_1', 'm one'],
  ['OAuth', { error: 'c_1', error_description: 'm one' }, 'c_1', 'm one'],
  ['a list', { errors: [{ code: 'c_1', detail: 'm one' }, { code: 'c_2' }] }, 'c_1', 'm one'],
  ['a bare list', [both], 'c_1', 'm one'],
  ['problem+json', problem, 'c_1', 'm one'],
  ['a list of strings', { errors: ['m one'] }, undefined, 'm one'],
  ['errors by field', { errors: { amount: ['must be positive'] } }, undefined, 'amount: must be positive'],
  ['a JSON string', '"m one"', undefined, 'm one'],
  ['text with a code', 'BODY_MISMATCH: other body', 'BODY_MISMATCH', 'BODY_MISMATCH: other body'],
  ['text', ' m one\n', undefined, 'm one'],
  ['text that mentions <html>', 'an <html> page', undefined, 'an <html> page'],
  ...['null', '7', 'true', '[]', '{}', '""', ''].map((body): Reading => [body, body, undefined, '']),
  ['fields of other names', { status: 'c_1', note: 'm', constructor: both, cause: both }, undefined, ''],
];

const codes: readonly Reading[] = [
  ...['code', 'error_code', 'errorCode', 'reason', 'type'].map(
    (field): Reading => [`is in ${field}`, { [field]: 'c_1' }, 'c_1', ''],
  ),
  ...['error', 'errors', 'fault', 'failure', 'issues', 'violations'].map(
    (field): Reading => [`is nested in ${field}`, { [field]: [{ code: 'c_1' }] }, 'c_1', ''],
  ),
  ['may be a number', { code: 77 }, '77', ''],
  ['is not an infinite number', '{"code":1e999}', undefined, ''],
  ['is not a boolean', { code: true }, undefined, ''],
  ['is not an object', { code: { a: 1 } }, undefined, ''],
  ['is not null', { code: null, reason: 'r_1' }, 'r_1', ''],
  ['is not a sentence', { code: 'not a code', type: 't_1' }, 't_1', ''],
  ['may have 64 characters', { code: longest }, longest, ''],
  ['does not have more', { code: `${longest}x` }, undefined, ''],
  ['is not a single word of a text', { error: 'declined' }, undefined, 'declined'],
  ['may be a text with an underscore', { error: 'card_declined' }, 'card_declined', 'card_declined'],
  ['may have digits', { code: 'E_123456' }, 'E_123456', ''],
  ['is not a key', { code: 'sk_v1_live_abcdefgh' }, undefined, ''],
  ['is not the status', { code: 400, error_code: 'c_1' }, 'c_1', ''],
  ['is not the status in a word', { code: 'HTTP_400_ERROR', errors: [{ code: 'c_1' }] }, 'c_1', ''],
  ['is not the word error', { type: 'error' }, undefined, ''],
  ['may contain the digits of the status', { code: 4001 }, '4001', ''],
  ['may contain the word error', { code: 'card_error' }, 'card_error', ''],
];

const messages: readonly Reading[] = [
  ...['message', 'detail', 'error_description', 'description', 'title', 'error_message'].map(
    (field): Reading => [`is in ${field}`, { [field]: 'm one' }, undefined, 'm one'],
  ),
  ['is trimmed', { message: '  m one ' }, undefined, 'm one'],
  ['of blanks is ignored', { message: '  ', detail: 'm one' }, undefined, 'm one'],
  ['that is a number is ignored', { message: 5, title: 'm one' }, undefined, 'm one'],
  ['that is null is ignored', { message: null }, undefined, ''],
  ['by field has its field', { amount: ['too low'] }, undefined, 'amount: too low'],
  ['by field is the first', { amount: ['too low', 'odd'], currency: ['no'] }, undefined, 'amount: too low'],
  ['by field may follow other fields', { at: 1, no: null, ids: [1], amount: ['x'] }, undefined, 'amount: x'],
  ['by field without text is ignored', { amount: [' '] }, undefined, ''],
  ['may be three objects deep', nested(3, both), 'c_1', 'm one'],
  ['is not four objects deep', nested(4, both), undefined, ''],
  ['may be three lists deep', [[[both]]], 'c_1', 'm one'],
  ['is not four lists deep', [[[[both]]]], undefined, ''],
  ['by field may be three deep', nested(3, { amount: ['m one'] }), undefined, 'amount: m one'],
  ['by field is not four deep', nested(4, { amount: ['m one'] }), undefined, ''],
];

const pairs: readonly Reading[] = [
  ['the one under error wins', { ...outer, error: inner }, 'inner_1', 'in'],
  ['the first one under error wins', { ...outer, error: [inner, outer] }, 'inner_1', 'in'],
  ['the outer one wins over a list', { ...outer, errors: [inner] }, 'outer_1', 'out'],
  ['the outer one wins over a word', { ...outer, error: 'inner_1' }, 'outer_1', 'out'],
  ['one supplies what the other lacks', { code: 'outer_1', errors: [inner] }, 'outer_1', 'in'],
];

const title = 'Bad '.repeat(75);
const html = (what: string, page: string, quote = '', code?: string): Reading => [what, page, code, quote];
const pages: readonly Reading[] = [
  html('has its title', '<html><title>Bad Gateway</title><h1>nginx</h1>', 'Bad Gateway'),
  html('has its heading', '<!doctype html><body><h1 class="big">Bad Gateway</h1>', 'Bad Gateway'),
  html('may begin with blanks', '\n  <html><title>Bad Gateway</title>', 'Bad Gateway'),
  html('may be XML', '<?xml version="1.0"?><title>Bad Gateway</title>', 'Bad Gateway'),
  html('without either has none', '<html><p>Bad Gateway</p>'),
  html('with an empty title has none', '<html><title> </title>'),
  html('may have a title of 300 characters', `<html><title>${title}</title>`, title.trim()),
  html('is not quoted if its title is longer', `<html><title>${title}x</title>`),
  html('is searched for 64 KiB', `<html>${' '.repeat(65_480)}<title>Bad Gateway</title>`, 'Bad Gateway'),
  html('is not searched further', `<html>${' '.repeat(65_536)}<title>Bad Gateway</title>`),
  // A secret may have entities in it, which would hide it.
  html('has blanks for entities', '<html><title>a&#39;b&#x2F;c &amp; d</title>', 'a b c d'),
  html('has the code of its title', '<html><title>NO_WAY: No</title><p>OR_SO', 'NO_WAY: No', 'NO_WAY'),
  html('has no code elsewhere', '<html><title>No</title><p>NO_WAY: No</p>', 'No'),
];

describe.each([
  ['an error body may be', shapes],
  ['a code', codes],
  ['a message', messages],
  ['of two errors', pairs],
  ['a page of HTML', pages],
])('%s', (_subject, rows) => {
  it.each(rows)('%s', async (_what, body, code, quote) => {
    expect(await read(body)).toEqual([code, quote]);
  });
});

describe('the interface option errorShape', () => {
  const rest = { ...outer, errors: [{ code: 'list_1', message: 'li' }] };
  it.each([
    ['nested', { ...rest, error: inner }, 'inner_1', 'in'],
    ['flat', { ...rest, error: inner }, 'outer_1', 'out'],
    ['problem', { ...rest, error: inner }, 'outer_1', 'out'],
    ['list', { ...rest, error: inner }, 'list_1', 'li'],
    // An error elsewhere is found too.
    ['list', { error: inner }, 'inner_1', 'in'],
    ['nested', outer, 'outer_1', 'out'],
  ] as const)('%s reads the error at its place first: %j', async (errorShape, body, code, quote) => {
    expect(await read(body, { interface: { errorShape } })).toEqual([code, quote]);
  });

  it.each([
    ['text', 'NO_FUNDS: no', 'not_executed'],
    ['html', 'NO_FUNDS: no', 'unknown'],
    [undefined, 'NO_FUNDS: no', 'unknown'],
    ['html', '<html><title>NO_FUNDS: no</title>', 'not_executed'],
    ['text', '<html><title>NO_FUNDS: no</title>', 'unknown'],
  ] as const)('%s trusts a code that begins a text: %s is %s', async (shape, body, outcome) => {
    const options = shape === undefined ? {} : { interface: { errorShape: shape } };
    const payments = createClient({ fetch: async () => new Response(body, { status: 402 }), ...options });
    const call = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1' });
    expect(await failureOf(call, ApiError)).toMatchObject({ code: 'NO_FUNDS', outcome });
  });
});

it.each([
  ['JSON', { message: 'no such currency' }],
  ['JSON of a resource', { id: 'pi_1', object: 'payment_intent' }],
  ['a text', 'no'],
])('the body of an error is %s as the service sent it', async (_what, body) => {
  expect((await errorOf(body)).body).toEqual(body);
});
