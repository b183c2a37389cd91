/**
 * Responses of the form endpoint: any bytes become a result or a refusal, and nothing else is thrown. A payment is approved only
 * if the single `response` is exactly 1, which an independent parser checks here.
 */

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  ApiError,
  PaymentsError,
  ResponseValidationError,
  Transact,
  type TransactionResult,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { decodeForm } from '../../src/transact/decode.ts';
import { toResult } from '../../src/transact/result.ts';
import { saleParams } from '../support/fixtures.ts';
import { bySize } from '../support/size.ts';
import { endingOf } from './answering.ts';
import { property, runCampaign, seed, type Tally } from './campaign.ts';

const vocabulary = [
  'response',
  'responsetext',
  'transactionid',
  'avsresponse',
  'cvvresponse',
  'risk_score',
  'risk_decision',
  'response=1',
  'response=2',
  'response=3',
  '&response=',
  '"response":',
  '__proto__',
  'constructor',
  'toString',
  '[0]',
  '=',
  '&',
  '%',
  '+',
  ' ',
  ':',
  ';',
  ',',
  '"',
  '{',
  '}',
  '0',
  '1',
  '"1"',
  '-1',
  '101',
  'Y',
  '%31',
  '%26',
  '%3D',
  '%ff',
  '%E0%A4%A',
  '%72esponse',
  '\\u0072esponse',
  '&amp;',
];

const isText = (value: unknown): value is string => typeof value === 'string';
const isFilled = (value: unknown) => isText(value) && value !== '';
const isScore = (score: number) => Number.isInteger(score) && score >= 0 && score <= 100;

/** The rules of any result. A failure names the first broken one. */
const resultRules: Record<string, (result: TransactionResult) => boolean> = {
  'its response is not empty': ({ response }) => response.trim() !== '',
  'its response equals that of the fields': ({ response, fields }) => fields['response']?.trim() === response,
  'it is approved only if response is 1': ({ approved, response }) => approved === (response === '1'),
  'it errored only if response is 3': ({ errored, response }) => errored === (response === '3'),
  'its texts are strings': ({ responsetext, transactionid }) => isText(responsetext) && isText(transactionid),
  'its id is empty, or can be looked up': ({ transactionid }) => transactionid !== '0',
  'its address check has a code': ({ avs }) =>
    avs === undefined || (isFilled(avs.code) && isFilled(avs.meaning)),
  'its code check has a code': ({ cvv }) =>
    cvv === undefined || (isFilled(cvv.code) && isFilled(cvv.meaning)),
  'its score is absent, or from 0 to 100 with a level': ({ risk }) =>
    risk?.score === undefined ? risk?.level === undefined : isScore(risk.score) && isFilled(risk.level),
  'its fields are strings': ({ fields }) => Object.values(fields).every(isText),
  'its fields are an ordinary object': ({ fields }) => Object.getPrototypeOf(fields) === Object.prototype,
};

const ruleEntries = Object.entries(resultRules);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function jsonResponses(text: string): unknown[] {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && 'response' in json ? [json.response] : [];
  } catch {
    return [];
  }
}

/** Returns all values of `response` in a body, in any format. */
function responsesIn(bytes: Uint8Array): unknown[] {
  const text = new TextDecoder().decode(bytes).trim();
  if (text.startsWith('{')) return jsonResponses(text);
  // A body with one unescaped value has no escapes at all.
  const read = /^[!-~]*$/.test(text) ? decoded : String;
  return text.split('&').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    // A part without `=` belongs to the text before it.
    return value.length > 0 && read(name).trim() === 'response' ? [read(value.join('=')).trim()] : [];
  });
}

/** Checks a result against the rules, and an approval against the independent parser. */
function verdictOf(bytes: Uint8Array, result: TransactionResult): 'approved' | 'declined' {
  const broken = ruleEntries.find(([, holds]) => !holds(result))?.[0];
  if (broken !== undefined) throw new Error(`its result breaks the rule: ${broken}`);
  if (!result.approved) return 'declined';
  const responses = responsesIn(bytes);
  if (responses.length !== 1 || String(responses[0]).trim() !== '1') throw new Error('it is no approval');
  return 'approved';
}

/** Decodes a body without a client, which is fast. */
function decodeDirectly(bytes: Buffer): string {
  const form = decodeForm(new TextDecoder().decode(bytes));
  if ('fields' in form) return verdictOf(bytes, toResult(form.fields));
  const { path, expected, received } = form.issue;
  if (![path, expected, received].every(isFilled)) throw new Error('its issue has an empty text');
  return 'refused';
}

/** The endpoint always responds with 200. Other statuses come from proxies. */
const statuses = [200, 200, 200, 200, 200, 200, 201, 302, 400, 403, 404, 429, 500, 502, 503];

const statusFor = (bytes: Buffer) => statuses[crc32(bytes) % statuses.length] ?? 200;

/** Checks an error by the status of its response. */
function expectRightError(error: unknown, status: number): void {
  if (!(error instanceof PaymentsError) || error.message === '') throw error;
  if (status < 300) {
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.outcome).toBe('unknown');
    return;
  }
  if (!(error instanceof ApiError)) throw error;
  expect(error.status).toBe(status);
  // A code in the body may be more precise than the status.
  const isPlainRefusal = status >= 400 && status < 500 && error.code === undefined;
  if (isPlainRefusal) expect(error.outcome).toBe('not_executed');
}

/** Returns the client of a service that sends this body. */
function transactOf(body: string | Buffer, status = 200): Transact {
  const fetch = async () => new Response(typeof body === 'string' ? body : new Uint8Array(body), { status });
  const baseUrl = 'https://payments.test';
  return new Transact({ baseUrl, securityKey: 'security-key-fuzz-0001', fetch, maxRetries: 0 });
}

async function sell(bytes: Buffer, status: number): Promise<string> {
  const ending = await endingOf(transactOf(bytes, status).submit({ type: 'sale', ...saleParams }));
  if ('error' in ending) {
    expectRightError(ending.error, status);
    return 'refused';
  }
  expect(status).toBeLessThan(300);
  return verdictOf(bytes, Object(ending.value));
}

/** Random input that always ends in the same way would prove nothing. */
function expectVariety(tally: Tally): void {
  expect([...tally.keys()].sort()).toEqual(['approved', 'declined', 'refused']);
  const total = [...tally.values()].reduce((sum, count) => sum + count);
  for (const count of tally.values()) expect(count).toBeGreaterThan(total / 50);
}

describe('the parser of form responses', () => {
  it(`returns a result or an issue for any bytes (seed ${seed})`, async () => {
    const tally = await runCampaign({
      parser: 'form-responses',
      vocabulary,
      caseCount: bySize({ short: 400_000, all: 1_000_000 }),
      check: decodeDirectly,
    });
    expectVariety(tally);
  });

  it(`approves only if response is 1, and else declines or refuses (seed ${seed})`, async () => {
    const tally = await runCampaign({
      parser: 'form-responses',
      vocabulary,
      caseCount: bySize({ short: 8_000, all: 20_000 }),
      check: async (bytes, entry) => {
        const verdict = await sell(bytes, entry === undefined ? statusFor(bytes) : 200);
        if (entry !== undefined) expect(verdict).toBe(entry.ending);
        return verdict;
      },
    });
    expectVariety(tally);
  });

  it('decodes both URL-encoded and unescaped bodies', async () => {
    const plain = fc.string({
      unit: fc.constantFrom('a', 'Z', '7', ' ', ':', '[', ']', '+', '%', '.', 'é'),
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(plain, async (words) => {
        const responsetext = `Told: ${words}`.trim();
        const escaped = new URLSearchParams({ response: '2', responsetext, type: 'sale' }).toString();
        const unescaped = `response=2&responsetext=${responsetext}&type=sale`;
        for (const body of [escaped, unescaped]) {
          const result = await transactOf(body).sale(saleParams);
          expect(result).toMatchObject({ responsetext, fields: { type: 'sale' } });
        }
      }),
      property(800),
    );
  });
});
