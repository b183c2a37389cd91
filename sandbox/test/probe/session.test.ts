/** Reaches inside: the rules of a session must hold for any reading, so these tests use their own. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Answer, type Question, type Reading, toAnswer } from '../../src/probe/question.ts';
import { Unanswered } from '../../src/probe/sender.ts';
import { Session, type SessionOptions } from '../../src/probe/session.ts';

afterEach(() => {
  vi.useRealTimers();
});

const headers = { get: () => null, web: new Headers() };
const answerWith = (status: number): Answer => toAnswer(status, headers, '{}');
const question = (name: string): Question => ({ kind: 'read', path: `/v1/${name}` });
const form: Question = { kind: 'form', encoding: 'urlencoded', securityKey: 'wrong' };

/** Returns a reading with some questions in order. */
function* asking(...questions: readonly Question[]): Reading<readonly (number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  for (const one of questions) statuses.push((yield one)?.status);
  return statuses;
}

/** A session with a service that responds in turn: a status, or `undefined` for no response. */
function interviewOf(
  statuses: readonly (number | undefined)[],
  more: Partial<SessionOptions> = {},
  mayAsk: (asked: Question) => boolean = () => true,
) {
  const sent: Question[] = [];
  const counts: number[] = [];
  const ask = async (asked: Question): Promise<Answer> => {
    const status = statuses[sent.push(asked) - 1];
    if (status === undefined) throw new Unanswered('ECONNRESET');
    return answerWith(status);
  };
  const onQuestion = (_: Question, count: number) => void counts.push(count);
  const options = { ask, maxRequests: 100, pace: 0, onQuestion, ...more };
  return { session: new Session(options, mayAsk), sent, counts };
}

const repeat = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value);

describe('a session', () => {
  test('asks each question once, for all of its readings', async () => {
    const { session, sent, counts } = interviewOf([200, 404]);
    expect(await session.run(asking(question('a'), question('a'), question('b')))).toEqual([200, 200, 404]);
    expect(await session.run(asking(question('b'), question('a')))).toEqual([404, 200]);
    expect(sent).toEqual([question('a'), question('b')]);
    expect(counts).toEqual([1, 2]);
  });

  test('distinguishes the same path with another query, method or lock', async () => {
    const path = '/v1/customers/cus_1';
    const others: readonly Question[] = [
      { kind: 'read', path },
      { kind: 'read', path, query: { limit: '1' } },
      { kind: 'locked', method: 'POST', path, lock: 'key' },
      { kind: 'locked', method: 'PATCH', path, lock: 'key' },
      { kind: 'locked', method: 'PATCH', path, lock: 'body' },
    ];
    const { session, sent } = interviewOf(repeat(404, 5));
    await session.run(asking(...others));
    expect(sent).toEqual(others);
  });

  test('repeats a question marked again', async () => {
    const { session, sent } = interviewOf([200, 404]);
    const again: Question = { ...question('a'), again: true };
    expect(await session.run(asking(question('a'), again, question('a'), again))).toEqual([
      200, 404, 200, 404,
    ]);
    expect(sent).toEqual([question('a'), again]);
  });

  test('skips forbidden questions and continues', async () => {
    const { session, sent } = interviewOf([200], {}, ({ kind }) => kind !== 'form');
    expect(await session.run(asking(form, question('a')))).toEqual([undefined, 200]);
    expect(sent).toEqual([question('a')]);
    expect(session.stopped).toBeUndefined();
  });

  test('rethrows errors from outside the service', async () => {
    const { session } = interviewOf([], { ask: () => Promise.reject(new TypeError('a defect')) });
    await expect(session.run(asking(question('a')))).rejects.toThrow('a defect');
  });
});

describe('a session stops', () => {
  test('at the limit of requests, and readings end without responses', async () => {
    const { session, sent } = interviewOf(repeat(200, 9), { maxRequests: 2 });
    const names = ['a', 'b', 'c', 'd'].map(question);
    expect(await session.run(asking(...names))).toEqual([200, 200, undefined, undefined]);
    expect(sent).toHaveLength(2);
    expect(session.stopped).toBe('reached the limit of 2 requests');
    // Earlier responses remain known.
    expect(await session.run(asking(question('a'), question('e')))).toEqual([200, undefined]);
  });

  test('not at the limit, if no further question follows', async () => {
    const { session } = interviewOf(repeat(200, 9), { maxRequests: 2 });
    await session.run(asking(question('a'), question('b'), question('a')));
    expect(session.stopped).toBeUndefined();
  });

  test.each([401, 429])('after a %i', async (status) => {
    const { session, sent } = interviewOf([200, status, 200]);
    const names = ['a', 'b', 'c'].map(question);
    expect(await session.run(asking(...names))).toEqual([200, status, undefined]);
    expect(sent).toHaveLength(2);
    expect(session.stopped).toMatch(`the service answered ${status}`);
  });

  test('after a 429 of the form endpoint, but not after its 401, because the probe uses a wrong key there', async () => {
    const refused = interviewOf([401, 200]);
    expect(await refused.session.run(asking(form, question('a')))).toEqual([401, 200]);
    const busy = interviewOf([429, 200]);
    expect(await busy.session.run(asking(form, question('a')))).toEqual([429, undefined]);
    expect(busy.session.stopped).toMatch('the service answered 429');
  });

  test('after three requests in a row without a response', async () => {
    const { session, sent } = interviewOf([undefined, undefined, 500, undefined, undefined, undefined, 200]);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(question);
    expect(await session.run(asking(...names))).toEqual([undefined, undefined, 500, ...repeat(undefined, 4)]);
    expect(sent).toHaveLength(6);
    expect(session.stopped).toBe('3 requests in a row got no usable answer, the last one with ECONNRESET');
  });

  test('after twenty requests without a response, in whatever order', async () => {
    const statuses = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? undefined : 200));
    const { session, sent } = interviewOf(statuses);
    await session.run(asking(...statuses.map((_, index) => question(`${index}`))));
    expect(sent).toHaveLength(39);
    expect(session.stopped).toBe('20 requests got no usable answer, the last one with ECONNRESET');
  });

  test('after 16 MB of responses, those included that were not kept', async () => {
    const megabyte = toAnswer(200, headers, 'a'.repeat(1024 * 1024));
    const { session } = interviewOf([], { ask: async () => megabyte });
    const names = Array.from({ length: 17 }, (_, index) => question(`${index}`));
    const [last = question('last'), ...others] = names;
    await session.run(asking(...others));
    expect(session.stopped).toBeUndefined();
    await session.run(asking(last));
    expect(session.stopped).toBe('the answers of the service are over 16 MB in all');
    const endless = new Unanswered('a body over 4 MB', 32 * 1024 * 1024);
    const other = interviewOf([], { ask: () => Promise.reject(endless) });
    expect(await other.session.run(asking(question('a')))).toEqual([undefined]);
    expect(other.session.stopped).toBe('the answers of the service are over 16 MB in all');
  });

  test('after a request that the service had to refuse, unless its path is one of the probe', async () => {
    const creation: Question = { kind: 'locked', method: 'POST', path: '/v1/products', lock: 'key' };
    const own: Question = { ...creation, path: '/v1/no_such_collection_payments_client_probe' };
    const deletion: Question = { ...own, method: 'DELETE', lock: 'id' };
    const { session } = interviewOf([200, 204, 201]);
    expect(await session.run(asking(own, deletion, creation, question('a')))).toEqual([
      200,
      204,
      201,
      undefined,
    ]);
    expect(session.stopped).toBe('the service accepted an invalid POST /v1/products');
  });

  test('after an abort, also while it waits', async () => {
    const controller = new AbortController();
    const { session, sent } = interviewOf([200, 200], {
      pace: 600_000,
      signal: controller.signal,
      onQuestion: () => controller.abort(),
    });
    expect(await session.run(asking(question('a'), question('b')))).toEqual([200, undefined]);
    expect(sent).toHaveLength(1);
    expect(session.stopped).toBe('it was interrupted');
  });
});

test('a session keeps its pace between the starts of two requests', async () => {
  vi.useFakeTimers();
  const starts: number[] = [];
  const begun = performance.now();
  const slow = async (): Promise<Answer> => {
    starts.push(performance.now() - begun);
    // The second response takes longer than the pace.
    if (starts.length === 2) await new Promise((resolve) => setTimeout(resolve, 250));
    return answerWith(200);
  };
  const { session } = interviewOf([], { ask: slow, pace: 100 });
  const done = session.run(asking(...['a', 'a', 'b', 'c', 'd'].map(question)));
  await vi.runAllTimersAsync();
  await done;
  expect(starts).toEqual([0, 100, 350, 450]);
});
