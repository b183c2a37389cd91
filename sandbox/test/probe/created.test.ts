/** Reaches inside: services that lose, refuse and forget what the probe creates, in this process. */

import { describe, expect, test } from 'vitest';
import { everyNth } from '../../../test/support/size.ts';
import { type Answer, type Question, toAnswer } from '../../src/probe/question.ts';
import { Unanswered } from '../../src/probe/sender.ts';
import { type Ask, type everything, lineOf, probeBy } from './support.ts';

const creating = new Set(['--create'] as const);

const answer = (status: number, body?: unknown): Answer =>
  toAnswer(status, { get: () => null }, body === undefined ? '' : JSON.stringify(body));
const missing = (code = 'NOT_FOUND') => answer(404, { error: { code, message: 'none' } });
const lost = (): never => {
  throw new Unanswered('ECONNRESET');
};
const customer = (id: string, fields = {}) =>
  answer(200, { id, object: 'customer', first_name: 'Probe', ...fields });

interface Behaviour {
  /** Answers the nth creation of a customer. Default: creates another one each time, whatever the key. */
  readonly create?: (count: number) => Answer;
  /** Answers the deletion of a customer. Default: nothing but a 200. */
  readonly remove?: () => Answer;
  /** Answers any other question. Default: a 404. */
  readonly other?: (question: Question, count: number) => Answer;
}

/** Probes such a service, and returns the writes that it got. */
async function probed(
  behaviour: Behaviour,
  allows: typeof everything = creating,
  keys: readonly string[] = [],
) {
  const {
    create = (count) => customer(`cus_${count}`),
    remove = () => answer(200),
    other = () => missing(),
  } = behaviour;
  const asked: Question[] = [];
  const changes: string[] = [];
  let created = 0;
  const ask: Ask = async (question) => {
    asked.push(question);
    if (question.kind !== 'write' || question.path.endsWith('/sessions'))
      return other(question, asked.length);
    changes.push(`${question.method} ${question.path}`);
    if (question.method === 'DELETE') return remove();
    created += 1;
    return create(created);
  };
  return { report: await probeBy(ask, allows, keys), changes, asked };
}

describe('what --create made', () => {
  test('is deleted, also a second object for the same key', async () => {
    const { report, changes } = await probed({});
    expect(changes.filter((change) => change.startsWith('DELETE')).toSorted()).toEqual([
      'DELETE /v1/customers/cus_1',
      'DELETE /v1/customers/cus_2',
    ]);
    expect(report.leftovers).toEqual([]);
  });

  test.each<readonly [string, Behaviour, readonly (string | undefined)[], string]>([
    [
      'the service refuses the deletion',
      { remove: () => answer(405) },
      ['cus_1', 'cus_2'],
      'its deletion got a 405',
    ],
    [
      'the service redirects the deletion',
      { remove: () => answer(302) },
      ['cus_1', 'cus_2'],
      'its deletion got a 302',
    ],
    ['the deletion is lost', { remove: lost }, ['cus_1', 'cus_2'], 'its deletion ended with ECONNRESET'],
    [
      'the service does not carry out the deletion',
      { remove: () => customer('cus_1', { deleted: false }) },
      ['cus_1', 'cus_2'],
      'its deletion got a 200',
    ],
    [
      'the creation fails',
      { create: () => answer(502) },
      [undefined],
      'the creation got a 502, and may have succeeded',
    ],
    [
      'the creation is lost',
      { create: lost },
      [undefined],
      'the creation ended with ECONNRESET, and may have succeeded',
    ],
    [
      'the answer has another form',
      { create: () => answer(200, { result: 1 }) },
      [undefined],
      'the answer to the creation has no id that can be shown',
    ],
    [
      'the answer is another object',
      { create: () => customer('cus_9', { first_name: 'Ada' }) },
      ['cus_9'],
      'the answer to the creation does not repeat what was sent',
    ],
  ])('is reported, if %s', async (_, behaviour, ids, reason) => {
    const { report, changes } = await probed(behaviour);
    expect(report.leftovers).toEqual(ids.map((id) => ({ path: '/v1/customers', id, reason })));
    // What may be the object of somebody else is not deleted.
    const deleted = new Set(changes.filter((change) => change.startsWith('DELETE')));
    expect(deleted.size).toBe(ids.filter((id) => id !== undefined && id !== 'cus_9').length);
  });

  test('is not reported, if the service refuses the creation', async () => {
    const { report } = await probed({ create: () => answer(403, { error: { code: 'NO', message: 'no' } }) });
    expect(report.leftovers).toEqual([]);
  });

  test.each([401, 429])(
    'is deleted after a %i ended the probe, and reported if that fails',
    async (status) => {
      let isRefusing = false;
      const { report, asked } = await probed({
        create: () => customer('cus_1'),
        other: (_, count) => {
          isRefusing = count === 20;
          return isRefusing ? answer(status) : missing();
        },
        remove: () => answer(isRefusing ? status : 200),
      });
      expect(asked).toHaveLength(21);
      expect(report).toMatchObject({
        requests: 21,
        stopped: expect.stringContaining(`the service answered ${status}`),
        leftovers: [{ path: '/v1/customers', id: 'cus_1', reason: `its deletion got a ${status}` }],
      });
    },
  );
});

describe('a service that accepts an invalid request ends the probe, which reports the object', () => {
  const reads = new Set(['a test key'] as const);

  test.each<readonly [string, (question: Question) => Answer, string, { path: string; id: string }]>([
    [
      'to create',
      ({ kind, ...question }) => {
        const path = 'path' in question ? question.path : '';
        if (kind === 'locked' && !path.includes('payments_client_probe')) return answer(200, { id: 'new_1' });
        return missing(/no_such_(?:collection|operation)/.test(path) ? 'NO_PATH' : 'NO_OBJECT');
      },
      'POST /v1/api_keys',
      { path: '/v1/api_keys', id: 'new_1' },
    ],
    [
      'to update an object that does not exist',
      (question) => {
        if (question.kind === 'locked' && question.method === 'PATCH') return answer(201);
        const isKnown =
          'path' in question && question.path.endsWith('/restore') && question.path.startsWith('/v1/cust');
        return missing(isKnown ? 'NO_OBJECT' : 'NO_PATH');
      },
      'PATCH /v1/customers/cus_no_such_object_payments_client_probe',
      { path: '/v1/customers', id: 'cus_no_such_object_payments_client_probe' },
    ],
  ])('%s', async (_, other, request, object) => {
    const { report } = await probed({ other }, reads);
    expect(report.stopped).toBe(`the service accepted an invalid ${request}`);
    expect(report.leftovers).toEqual([{ ...object, reason: 'the service accepted an invalid request' }]);
  });
});

describe('an id that is not plain', () => {
  const key = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
  const wrong = [
    '../../../test',
    '.',
    '%2e%2e',
    'cus_1/../cus_2',
    'cus_1?all',
    ' ',
    '-',
    'cus_é',
    'c'.repeat(129),
    key,
  ];
  const isList = ({ kind, ...question }: Question) =>
    kind === 'read' && 'path' in question && /^\/v1\/(?:checkout\/)?[a-z_]+$/.test(question.path);
  const listing =
    (items: readonly object[]) =>
    (question: Question): Answer => {
      const isUnknown = JSON.stringify(question).includes('payments_client_probe');
      return isList(question) && !isUnknown ? answer(200, { has_more: false, data: items }) : missing();
    };

  test.each(everyNth(wrong, 3))('is not sent, and named as a reason: %j', async (id) => {
    const { report, asked, changes } = await probed(
      { create: () => customer(id), other: listing([{ id }]) },
      creating,
      [key],
    );
    expect(new Set(changes)).toEqual(new Set(['POST /v1/customers']));
    expect(JSON.stringify(asked.map((question) => ('path' in question ? question.path : '')))).not.toContain(
      `/${id}`,
    );
    expect(report.leftovers).toEqual([
      {
        path: '/v1/customers',
        id: undefined,
        reason: 'the answer to the creation has no id that can be shown',
      },
    ]);
    for (const gap of ['G21', 'G22', 'G59']) {
      expect(lineOf(report, gap)).toMatchObject({ verdict: 'not seen' });
      if (id !== key) expect(lineOf(report, gap).detail).toMatch(/^the ids in the answers are not plain/);
    }
  });

  test('does not hide another object of the list', async () => {
    const list = listing([{ id: '../charges' }, { id: 'in_2' }]);
    const { report, asked } = await probed({
      other: (question) =>
        'path' in question && question.path.endsWith('/in_2') ? answer(200, { id: 'in_2' }) : list(question),
    });
    expect(lineOf(report, 'G21')).toMatchObject({ verdict: 'as assumed', detail: 'whole' });
    expect(JSON.stringify(asked)).not.toContain('../');
  });
});
