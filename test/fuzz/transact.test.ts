/**
 * Random responses of the form endpoint become a result or a rejection, and never throw.
 *
 * Deterministic. Set FUZZ_SEED to use another seed.
 */

import { ApiError, PaymentsError, ResponseValidationError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { decodeForm } from '../../src/transact/decode.ts';
import { type TransactionResult, toResult } from '../../src/transact/result.ts';
import { type Draw, drawsOf, pick } from '../support/draws.ts';
import { saleParams } from '../support/fixtures.ts';
import { bySize } from '../support/size.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_214) >>> 0;
const directCases = bySize({ short: 50_000, all: 1_000_000 });
const publicCases = bySize({ short: 1_000, all: 20_000 });

const bytes = (text: string) => Buffer.from(text, 'utf8');

const realResponses = [
  'response=1&responsetext=SUCCESS&authcode=123456&transactionid=316&avsresponse=Y&cvvresponse=M&orderid=&type=sale&response_code=100',
  'response=1&responsetext=Approved+now%21&transactionid=316&avsresponse=N&cvvresponse=N&risk_score=63&risk_decision=R',
  'response=2&responsetext=DECLINE&authcode=&transactionid=7&avsresponse=&cvvresponse=&risk_score=100&risk_decision=D',
  'response=3&responsetext=Only transactions pending settlement can be voided [x]: REFID:3161234&authcode=&transactionid=0',
  'response=3&responsetext=Invalid Credit Card Number REFID:316&transactionid=&response_code=300\r\n',
  'response=2&responsetext=100% declined, Smith & Sons caf\u00e9&transactionid=1',
  '{"response":1,"responsetext":"Approved now!","transactionid":316,"avsresponse":"Y","risk_score":10,"x":null}',
  '{"response":"2","responsetext":"\\u00e9\\ud83c","transactionid":"7","errors":[{"a":[1]}]}',
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
  '\uFEFFresponse=1&responsetext=SUCCESS&transactionid=316',
].map(bytes);

const words = [
  'response',
  'responsetext',
  'transactionid',
  'avsresponse',
  'cvvresponse',
  'risk_score',
  'risk_decision',
  'response=1',
  'response=2',
  '&response=',
  '"response":1',
  '__proto__',
  'constructor',
  'toString',
  'x[0]',
  '=',
  '=',
  '=',
  '&',
  '&',
  '&',
  '%',
  '+',
  ' ',
  '\n',
  '\u0000',
  ';',
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '1',
  '0',
  '2',
  '3',
  '-1',
  '1e999',
  '101',
  'Y',
  'M',
  'A',
  'null',
  'true',
  '\\u0000',
  '\\ud800',
  '{"',
  '":',
  '%41',
  '%3D',
  '%26',
  '%00',
  '%ff',
  '%E0%A4%A',
  '%F0%9F%8D%B5',
  '%zz',
  '%u0041',
  '%72esponse',
  '%2B',
  'é',
  '🍵',
  '\u2028',
  '\uFEFF',
  '\u00a0',
  '<html>',
  '<a href="?a=1&response=1">',
  '&amp;',
  '&#61;',
  '\r\n',
].map(bytes);

function makeNoise(draw: Draw): Buffer {
  const noise = Buffer.allocUnsafe(draw(48));
  // Mostly meaningful bytes, because all others are equivalent.
  const range = draw(3) === 0 ? 256 : 128;
  for (let index = 0; index < noise.length; index += 1) noise[index] = draw(range);
  return noise;
}

function makeSentence(draw: Draw): Buffer {
  return Buffer.concat(Array.from({ length: 1 + draw(14) }, () => pick(draw, words)));
}

function insertion(draw: Draw, original: Buffer): Buffer {
  switch (draw(4)) {
    case 0:
      return Buffer.of(draw(256));
    case 1:
      return pick(draw, words);
    case 2:
      return original.subarray(draw(original.length));
    default:
      return Buffer.alloc(0);
  }
}

/** Replaces a part with other bytes, or removes it. */
function mutate(draw: Draw, original: Buffer): Buffer {
  const from = draw(original.length + 1);
  const to = Math.min(original.length, from + draw(draw(4) === 0 ? original.length + 1 : 4));
  return Buffer.concat([original.subarray(0, from), insertion(draw, original), original.subarray(to)]);
}

function makeMutant(draw: Draw): Buffer {
  let mutant: Buffer = pick(draw, realResponses);
  for (let times = 1 + draw(3); times > 0 && mutant.length > 0; times -= 1) mutant = mutate(draw, mutant);
  return mutant;
}

const makers = [makeNoise, makeMutant, makeMutant, makeSentence, makeSentence];

/** The bytes of one case. */
function bodyOf(number: number): Buffer {
  const draw = drawsOf(seed, number);
  return pick(draw, makers)(draw);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFilled = (value: unknown) => isText(value) && value !== '';

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

function isScore(score: number): boolean {
  return Number.isInteger(score) && score >= 0 && score <= 100;
}

function brokenRule(result: TransactionResult): string | undefined {
  return ruleEntries.find(([, holds]) => !holds(result))?.[0];
}

type Ending = 'approved' | 'declined' | 'refused';

/** A failed case, with everything needed to reproduce it. */
function complaint(number: number, problem: string, cause?: unknown): Error {
  const body = bodyOf(number);
  const shown = `${JSON.stringify(body.toString('utf8'))} (hex ${body.toString('hex')})`;
  return new Error(`FUZZ_SEED=${seed}, case ${number}: ${problem}; the body was ${shown}`, { cause });
}

function endingOf(number: number, result: TransactionResult): Ending {
  const broken = brokenRule(result);
  if (broken !== undefined) throw complaint(number, `its result breaks the rule: ${broken}`);
  return result.approved ? 'approved' : 'declined';
}

const utf8 = new TextDecoder();

function decodeCase(number: number): ReturnType<typeof decodeForm> {
  const text = utf8.decode(bodyOf(number));
  try {
    return decodeForm(text);
  } catch (error) {
    throw complaint(number, 'decodeForm threw', error);
  }
}

function resultOf(number: number, fields: ReadonlyMap<string, string>): TransactionResult {
  try {
    return toResult(fields);
  } catch (error) {
    throw complaint(number, 'toResult threw', error);
  }
}

function runDirectly(number: number): Ending {
  const decoded = decodeCase(number);
  if ('fields' in decoded) return endingOf(number, resultOf(number, decoded.fields));
  const { path, expected, received } = decoded.issue;
  if ([path, expected, received].every(isFilled)) return 'refused';
  throw complaint(number, 'its issue has an empty text');
}

/** The endpoint always responds with 200. Other statuses come from proxies. */
const statuses = [200, 200, 200, 200, 200, 200, 201, 302, 400, 403, 404, 429, 500, 502, 503];

const statusOf = (number: number) => pick(drawsOf(seed, ~number), statuses);

/** Checks an error by the status of its response. */
function isRightError(error: unknown, status: number): boolean {
  if (!(error instanceof PaymentsError) || !isFilled(error.message)) return false;
  if (status < 300) return error instanceof ResponseValidationError && error.outcome === 'unknown';
  if (!(error instanceof ApiError) || error.status !== status) return false;
  // A code in the body may be more precise than the status.
  return status < 400 || status >= 500 || error.code !== undefined || error.outcome === 'not_executed';
}

async function runInPublic(number: number, transact: Transact): Promise<Ending> {
  const status = statusOf(number);
  const outcome = await transact.submit({ type: 'sale', ...saleParams }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('result' in outcome) {
    if (status >= 300) throw complaint(number, `it is a result in spite of status ${status}`);
    return endingOf(number, outcome.result);
  }
  if (isRightError(outcome.error, status)) return 'refused';
  throw complaint(number, `status ${status} became the wrong error`, outcome.error);
}

type Tally = Record<Ending, number>;

/** Random input that always ends in the same way would prove nothing. */
function expectVariety(tally: Tally, cases: number): void {
  expect(tally.approved + tally.declined + tally.refused).toBe(cases);
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(cases / 50);
}

describe('the decoder of form responses', () => {
  it(`returns a result or an issue for each of ${directCases} bodies (seed ${seed})`, () => {
    const tally: Tally = { approved: 0, declined: 0, refused: 0 };
    for (let number = 0; number < directCases; number += 1) tally[runDirectly(number)] += 1;
    expectVariety(tally, directCases);
  });

  it(`returns a result or a PaymentsError through Transact (seed ${seed})`, async () => {
    const tally: Tally = { approved: 0, declined: 0, refused: 0 };
    let current = 0;
    const fetch = async () => new Response(new Uint8Array(bodyOf(current)), { status: statusOf(current) });
    const transact = new Transact({ baseUrl: 'https://payments.test', securityKey: 'key-of-fuzz', fetch });
    for (current = 0; current < publicCases; current += 1) {
      tally[await runInPublic(current, transact)] += 1;
    }
    expectVariety(tally, publicCases);
  });
});
