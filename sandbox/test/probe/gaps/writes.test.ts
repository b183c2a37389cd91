/** Reaches inside: reads one gap at a time, of services that no sandbox can be, and whose other gaps do not matter. */

import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gap } from '../../../src/probe/finding.ts';
import { formEncoding, formResponse, wrongSecurityKey } from '../../../src/probe/gaps/form.ts';
import { deletion, repeatedKey } from '../../../src/probe/gaps/test-customer.ts';
import { sessionFields } from '../../../src/probe/gaps/test-session.ts';
import { type Answers, type Ask, askSandbox, findingOf, reads, summary, withJson } from '../support.ts';

const notSeen = ['not seen'];

/** A form endpoint that answers by the key, if it can read the form. */
const form = (right: string, wrong: string, reads: 'urlencoded' | 'multipart' = 'urlencoded'): Answers => ({
  'POST /api/transact.php': async (request: Request) => {
    const isRead = request.headers
      .get('content-type')
      ?.includes(reads === 'multipart' ? 'multipart' : 'urlencoded');
    const hasKey = isRead && (await request.text()).match(/security_key(?:=|"\s+)key(?:&|\s)/);
    return new Response(hasKey ? right : wrong);
  },
});

const noType = 'response=3&responsetext=Invalid type REFID:1';
const noKey = 'response=3&responsetext=Authentication Failed REFID:2';

reads(formEncoding, [
  ['urlencoded', form(noType, noKey), ['as assumed', 'urlencoded', { formEncoding: 'urlencoded' }]],
  ['multipart', form(noType, noKey, 'multipart'), ['differs', 'multipart', { formEncoding: 'multipart' }]],
  ['the same answer to both keys, but for its number', form(noKey, noKey.replace('2', '3')), notSeen],
  ['a page', form('<html>', '<html>'), notSeen],
  ['a long answer', form(noType + 'a'.repeat(64 * 1024), noKey), notSeen],
]);

const json = JSON.stringify({ response: '3', responsetext: 'Invalid' });

reads(formResponse, [
  ['JSON', form(json, noKey), ['as assumed', 'JSON', { formResponse: 'json' }]],
  ['pairs', form(noType, noKey), ['as assumed', 'pairs, not escaped', { formResponse: 'unescaped' }]],
  [
    'escaped pairs',
    form('response=3&responsetext=Invalid%20type', noKey),
    ['as assumed', 'pairs, percent-encoded', { formResponse: 'escaped' }],
  ],
  [
    'pairs with a plus',
    form('response=3&responsetext=Invalid+type', noKey),
    ['as assumed', 'pairs, percent-encoded', { formResponse: 'escaped' }],
  ],
  ['pairs that show neither', form('response=3&responsetext=Invalid', noKey), notSeen],
  ['a page', form('<html>', noKey), notSeen],
]);

reads(wrongSecurityKey, [
  ['a failed authentication', form(noType, noKey), ['as assumed']],
  [
    'what reads as a decline',
    form(noType, 'response=2&responsetext=Declined'),
    ['differs', 'response 2 with a text that the client reads as a decline'],
  ],
  ['an approval', form(noType, 'response=1&responsetext=Approved&transactionid=1'), notSeen],
  ['the answer to the right key', form(noKey, noKey), notSeen],
]);

type Change = (
  body: Readonly<Record<string, unknown>>,
  request: { readonly path: string; readonly method: string },
) => unknown;

/** A sandbox whose answers to writes are changed. */
function changing(change: Change = (body) => body, options = {}): Ask {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  const ask = askSandbox(sandbox);
  return async (question) => {
    const answer = await ask(question);
    if (question.kind !== 'write' || answer.status !== 200) return answer;
    return withJson(answer, change(Object(answer.json), question));
  };
}

describe('what --create makes', () => {
  let count = 0;
  const anotherEachTime: Change = (body) => {
    count += 1;
    return { ...body, id: `cus_${count}` };
  };
  const deleted =
    (answer: unknown): Change =>
    (body, { method }) =>
      method === 'DELETE' ? answer : body;
  const session =
    (fields: object): Change =>
    (body, { path }) =>
      path.endsWith('/sessions') ? { ...body, ...fields } : body;
  const names = 'client_reference_id, customer, customer_email, locale, metadata, collect_config';

  test.each<readonly [gap: Gap, what: string, change: Change | undefined, expected: readonly unknown[]]>([
    [repeatedKey, 'the first result', undefined, ['as assumed', 'the first result, within one run']],
    [
      repeatedKey,
      'another object',
      anotherEachTime,
      ['differs', 'a second object: this service does not deduplicate'],
    ],
    [repeatedKey, 'no object', () => ({ ok: true }), notSeen],
    [
      repeatedKey,
      'an object that does not repeat what was sent',
      (body) => ({ ...body, first_name: 'Ada' }),
      notSeen,
    ],
    [deletion, 'the object', undefined, ['as assumed', 'the object', { deletion: 'object' }]],
    [
      deletion,
      'an id',
      (body, { method }) => (method === 'DELETE' ? { id: body['id'], deleted: true } : body),
      ['as assumed', 'a short confirmation', { deletion: 'confirmation' }],
    ],
    [deletion, 'another id', deleted({ id: 'cus_other', deleted: true }), notSeen],
    [
      deletion,
      'an id for no path',
      (body) => ({ ...body, id: '../1' }),
      ['not seen', "the ids in the answers are not plain: letters, digits, '_' and '-'"],
    ],
    [sessionFields, 'all fields', undefined, ['as assumed', `${names} come back`]],
    [
      sessionFields,
      'some fields',
      session({ locale: null, metadata: { made_by: 'somebody' }, customer: undefined }),
      [
        'differs',
        'does not return customer, locale, metadata; client_reference_id, customer_email, collect_config come back',
      ],
    ],
    [sessionFields, 'another object', session({ object: 'thing' }), notSeen],
    [sessionFields, 'no customer', () => ({}), ['not seen', 'no customer could be created']],
  ])('$id: %s', async (gap, _, change, expected) => {
    const [verdict, detail, known] = expected;
    expect(summary(await findingOf(gap, changing(change)))).toEqual([verdict, detail, known]);
  });

  test('a repeated key without its header differs', async () => {
    const ask = changing();
    const silent: Ask = async (question) => ({ ...(await ask(question)), headers: { get: () => null } });
    expect(await findingOf(repeatedKey, silent)).toMatchObject({
      verdict: 'differs',
      detail: 'the first result, without Idempotent-Replayed',
    });
  });

  test('an empty answer to a deletion, and fields that the service drops or refuses', async () => {
    const empty = changing(undefined, { interface: { deletion: 'empty' } });
    expect(await findingOf(deletion, empty)).toMatchObject({ known: { deletion: 'empty' } });
    const dropping = changing(undefined, { onlyShownFields: true });
    expect(await findingOf(sessionFields, dropping)).toMatchObject({
      verdict: 'differs',
      detail: `does not return ${names}`,
    });
    const customers = changing();
    const refusing: Ask = async (question) => {
      const answer = await customers(question);
      const isSession = question.kind === 'write' && question.path.endsWith('/sessions');
      return isSession ? { ...answer, status: 400 } : answer;
    };
    expect(await findingOf(sessionFields, refusing)).toMatchObject({
      verdict: 'not seen',
      detail: `the service answered 400 to a session with ${names}`,
    });
  });
});
