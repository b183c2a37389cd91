/** Reaches inside: a client for each of so many inputs would be slow, so most reach its decoder directly.
 *
 * Responses of the form endpoint.
 */

import { ResponseValidationError, type TransactionResult } from 'payments-client';
import { expect } from 'vitest';
import { decodeForm } from '../../../src/transact/decode.ts';
import { toResult } from '../../../src/transact/result.ts';
import { saleParams } from '../../support/fixtures.ts';
import type { Parser } from '../parser.ts';
import { endingOf, parsed, scriptedService } from '../service.ts';
import { words } from '../words.ts';

const service = scriptedService();
const { transact } = service.client();

const isText = (value: unknown): value is string => typeof value === 'string';
const isFilled = (value: unknown) => isText(value) && value !== '';
const isScore = (score: number) => Number.isInteger(score) && score >= 0 && score <= 100;

/** The rules of any result. A failure names the first broken one. */
const rules: Readonly<Record<string, (result: TransactionResult) => boolean>> = {
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Returns all values of `response` in a body, in any format. */
function responsesIn(bytes: Uint8Array): unknown[] {
  const text = new TextDecoder().decode(bytes).trim();
  if (text.startsWith('{')) {
    const json = Object(parsed(text));
    return 'response' in json ? [json.response] : [];
  }
  // A body with one unescaped value has no escapes at all.
  const read = /^[!-~]*$/.test(text) ? decoded : String;
  return text.split('&').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    // A part without `=` belongs to the text before it.
    return value.length > 0 && read(name).trim() === 'response' ? [read(value.join('=')).trim()] : [];
  });
}

/** Judges a result by the rules, and an approval by the independent parser. */
function verdictOf(bytes: Buffer, result: TransactionResult): string {
  const broken = Object.entries(rules).find(([, holds]) => !holds(result))?.[0];
  if (broken !== undefined) throw new Error(`its result breaks the rule: ${broken}`);
  if (!result.approved) return result.errored ? 'errored' : 'declined';
  expect(responsesIn(bytes).map((response) => String(response).trim())).toEqual(['1']);
  return 'approved';
}

async function judge(bytes: Buffer): Promise<string> {
  service.answers(() => ({ body: bytes }));
  const ending = await endingOf(transact.sale(saleParams));
  if ('value' in ending) return verdictOf(bytes, Object(ending.value));
  const { error } = ending;
  if (!(error instanceof ResponseValidationError)) throw error;
  expect(error.outcome).toBe('unknown');
  return 'refused';
}

/** Judges the decoder alone, which is fast. */
function judgeDirectly(bytes: Buffer): string {
  const form = decodeForm(new TextDecoder().decode(bytes));
  if ('fields' in form) return verdictOf(bytes, toResult(form.fields));
  const { path, expected, received } = form.issue;
  expect([path, expected, received].every(isFilled)).toBe(true);
  return 'refused';
}

/** Reads any text back from both forms of a body: escaped, and as endpoints of this kind really send it. */
export async function expectText(words: string): Promise<void> {
  const responsetext = `Told: ${words}`.trim();
  const escaped = new URLSearchParams({ response: '2', responsetext, type: 'sale' }).toString();
  for (const body of [escaped, `response=2&responsetext=${responsetext}&type=sale`]) {
    service.answers(() => ({ body }));
    const result = await endingOf(transact.sale(saleParams));
    expect(result).toMatchObject({ value: { responsetext, fields: { type: 'sale' } } });
  }
}

const poison = '"__proto__":{"response":"1"},"constructor":{"prototype":{"response":"1"}}';
const decisive = [
  'responsetext',
  'transactionid',
  'avsresponse',
  'cvvresponse',
  'risk_score',
  'risk_decision',
];

export const formResponses: Parser = {
  name: 'the parser of form responses',
  promise: 'a charge is approved only if the single response is 1, and is unknown if that cannot be read',
  corpus: {
    approved: {
      'ampersand in a text': 'response=1&responsetext=Smith & Sons&transactionid=7',
      'bare word after it': 'response=1&sponse=1nse=1&response',
      'blank before': 'response=+1&transactionid=7',
      'byte order mark': '\uFEFFresponse=1',
      escaped: 'response=1&responsetext=SUCCESS&transactionid=316&avsresponse=Y&cvvresponse=M',
      'escaped digit': 'response=%31&transactionid=7',
      'escaped name': '%72esponse=1',
      'bare percent signs': 'response=1&responsetext=100%+%zz%ff',
      JSON: '{ "response": 1, "responsetext": "Approved", "transactionid": 316 }\n',
      'JSON number': '{"response":1.0}',
      'JSON text': '{"response":"1","transactionid":"7"}',
      'JSON with another one inside': '{"response":"1","x":{"response":"2"}}',
      'JSON with another one in a text': '{"response":"1","x":"response\\":\\"2"}',
      'JSON with others as values': '{"response":"1","x":["response","response"],"y":"response"}',
      last: 'transactionid=7&response=1',
      'line end': 'response=1\r\n',
      'unknown field twice': 'response=1&x=1&x=2',
      unescaped: 'response=1&responsetext=Approved now! [x]: REFID:316&transactionid=7',
    },
    errored: { three: 'response=3&responsetext=error', JSON: '{"response":3}' },
    declined: {
      eleven: 'response=11',
      'full-width digit elsewhere': 'response=2&x=１',
      'JSON exponent': '{"response":1e1}',
      'JSON nested': '{"response":"2","inner":{"response":"1"}}',
      'JSON true as text': '{"response":"true"}',
      'JSON with names of prototypes': `{"response":"2",${poison},"avsresponse":"constructor","cvvresponse":"__proto__"}`,
      'names of prototypes':
        'response=2&__proto__=1&constructor=1&avsresponse=constructor&risk_decision=toString',
      minus: 'response=-1',
      padded: 'response=01',
      'response in a text': 'response=2&responsetext=was response=1 before',
      two: 'response=2&responsetext=DECLINE',
      ten: 'response=10',
      word: 'response=approved',
      zero: 'response=0',
    },
    refused: {
      'Arabic digit': 'response=١',
      'bare one': '1',
      'cut JSON': '{"response":"1"',
      empty: '',
      'empty response': 'response=&transactionid=7',
      fraction: 'response=1.0',
      'full-width digit': 'response=１',
      'HTML link': '<a href="?a=1&response=1&x=2">x</a>',
      'HTML page': '<html><a href="?a=1&response=1">x</a></html>',
      'JSON in a list': '[{"response":"1"}]',
      'JSON list': '{"response":["1"]}',
      'JSON nested only': '{"data":{"response":"1"}}',
      'JSON object': '{"response":{"toString":"1"}}',
      'JSON null': '{"response":null}',
      'JSON of the prototype': `{${poison}}`,
      'JSON true': '{"response":true}',
      'JSON twice': '{"response":"2","response":"1"}',
      'JSON twice, escaped': '{"response":"2","\\u0072esponse":"1"}',
      'JSON twice, escaped after a quote': '{"response":"2","x":"\\"","r\\u0065sponse":"1"}',
      'JSON twice, spread': '{"x":{"response":"2"},"response":"2","y":["}"],"response"\n:"1"}',
      'JSON twice, after backslashes': `{"response":"2","x":"${'\\\\'.repeat(5000)}","response":"1"}`,
      'name of a list': 'response[]=1',
      'name of the prototype': '__proto__=response=1',
      'name within the prototype': '__proto__[response]=1',
      'no response': 'responsetext=SUCCESS&transactionid=7',
      NUL: 'response=1\0',
      'another case': 'Response=1&RESPONSE=1',
      'another name': 'response_code=100&responses=1',
      swallowed: 'response=1; transactionid=7',
      twice: 'response=2&response=1',
      'twice, escaped': 'response=2&%72esponse=1',
      'twice the same': 'response=1&response=1',
      ...Object.fromEntries(decisive.map((name) => [`${name} twice`, `response=1&${name}=1&${name}=2`])),
      ...Object.fromEntries(
        decisive.map((name) => [`JSON ${name} twice`, `{"response":1,"${name}":"1","${name}":"2"}`]),
      ),
    },
  },
  vocabulary: words(
    `response responsetext transactionid avsresponse cvvresponse risk_score risk_decision response=1 response=2
    response=3 &response= "response": __proto__ constructor toString [0] = & % + ␣ : ; , " { } 0 1 "1" -1 101 Y
    %31 %26 %3D %ff %E0%A4%A %72esponse \\u0072esponse &amp;`,
  ),
  cases: 2000,
  nth: 4,
  judge,
};

/** The same without a client, for many more inputs. */
export const formDecoder: Parser = {
  ...formResponses,
  name: 'the decoder of form responses',
  cases: 40_000,
  nth: 1,
  judge: judgeDirectly,
};
