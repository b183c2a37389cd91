/** Reaches inside: contradictory services are functions here, because no server could simulate them. */

import type { ServiceInterface } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { drawsFrom } from '../../../../test/support/draws.ts';
import { everyNth as everyNthRow } from '../../../../test/support/size.ts';
import type { Report } from '../../../src/probe/probe.ts';
import type { Answer, Question } from '../../../src/probe/question.ts';
import { Unanswered } from '../../../src/probe/sender.ts';
import { type Ask, askSandbox, lineOf, probeBy, serviceOf } from '../support.ts';

/** The true interface of the sandbox behind an inconsistent service. */
const truth: ServiceInterface = {
  version: 1,
  itemsField: 'data',
  objectPlace: 'whole',
  errorShape: 'nested',
  requestIdHeader: 'x-request-id',
  timestamps: 'seconds',
  deletion: 'object',
  idPrefixes: { product: 'prod_' },
  formEncoding: 'urlencoded',
  formResponse: 'unescaped',
};

/** Creates a sandbox with an object in every list that has a scenario. */
async function seeded(): Promise<Sandbox> {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  sandbox.seed({ customers: 30, intents: 300, months: 3 });
  return sandbox;
}

/** Checks that no conclusion is wrong. An undetected form is not a mistake. */
function expectNoWrongConclusion({ known, lines }: Report): void {
  expect(truth).toMatchObject(known);
  expect(lines.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
}

const nothing = { version: 1 };

const json = (body: unknown, init?: ResponseInit) => async () => Response.json(body, init);

describe('a server that is not the service', () => {
  test.each<[string, () => Promise<Response>]>([
    ['a login page for every path', async () => new Response('<!doctype html><title>Log in</title>')],
    ['one JSON object for every path', json({ id: 'obj_1', object: 'thing', has_more: false })],
    [
      'one refusal for every path',
      json({ error: { code: 'NOT_FOUND', message: 'not found' } }, { status: 404 }),
    ],
    ['405 for everything', json({ message: 'method not allowed' }, { status: 405 })],
    ['403 for everything', json({ error: { code: 'FORBIDDEN', message: 'no' } }, { status: 403 })],
    [
      'a redirect for every path',
      async () => new Response(null, { status: 302, headers: { location: '/login' } }),
    ],
    ['500 for everything', async () => new Response('oops', { status: 500 })],
    ['nothing', async () => Promise.reject(new TypeError('fetch failed'))],
    ['an empty body for every path', async () => new Response('')],
  ])('with %s leads to no conclusion', async (_, fetch) => {
    const { known, lines } = await probeBy(serviceOf(fetch));
    // Its one refusal may have the shape of all refusals.
    const { errorShape: __, ...rest } = known;
    expect(rest).toEqual(nothing);
    expect(lines.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
    expect(lines.filter(({ verdict, id }) => verdict === 'as assumed' && id !== 'G44')).toEqual([]);
  });

  test('with an empty list under every path has no known paths', async () => {
    const report = await probeBy(serviceOf(json({ data: [], has_more: false })));
    for (const id of ['G26', 'G59', 'G23', 'G25', 'G60']) expect(lineOf(report, id).verdict).toBe('not seen');
    expect(report.known.routes).toBeUndefined();
  });
});

test.each(['next_cursor', ''])(
  'a list in the field %j is not written, because no client accepts it',
  async (name) => {
    const report = await probeBy(serviceOf(json({ [name]: [], has_more: false })));
    expect(lineOf(report, 'G30').verdict).toBe('not seen');
    expect(report.known.itemsField).toBeUndefined();
  },
);

/** Places a function between the probe and a sandbox. */
type Between = (question: Question, ask: Ask) => Promise<Answer>;

const headers = { get: () => null, web: new Headers() };
const failure: Answer = { status: 500, headers, text: 'oops', json: undefined };

/** Responds to every nth request in its own way. */
function everyNth(n: number, answer: () => Promise<Answer>): Between {
  let count = 0;
  return (question, ask) => {
    count += 1;
    return count % n === 0 ? answer() : ask(question);
  };
}

describe('an inconsistent service', () => {
  const disorders: readonly [string, () => Between][] = [
    ['a 500 for every third request', () => everyNth(3, () => Promise.resolve(failure))],
    ['every other request lost', () => everyNth(2, () => Promise.reject(new Unanswered('ECONNRESET')))],
    [
      'random responses: the previous one, a 404 or the right one',
      () => {
        const draw = drawsFrom(7);
        let last: Answer = failure;
        return async (question, ask) => {
          const answer = await ask(question);
          const shown = [answer, last, { ...failure, status: 404, text: 'not found' }][draw(3)] ?? answer;
          last = answer;
          return shown;
        };
      },
    ],
    [
      'unknown paths treated as unknown objects',
      () => async (question, ask) => {
        const answer = await ask(question);
        if (answer.status < 400 || answer.status > 404) return answer;
        const text = JSON.stringify({ error: { code: 'NOT_FOUND', message: 'not found' } });
        return { ...answer, status: 404, text, json: JSON.parse(text) };
      },
    ],
    [
      'a proxy that rewrites every code',
      () => async (question, ask) => {
        const answer = await ask(question);
        return answer.status < 400
          ? answer
          : { ...answer, text: '<html><title>Bad gateway</title></html>', json: undefined };
      },
    ],
    [
      'half of the timestamps in milliseconds',
      () => async (question, ask) => {
        const answer = await ask(question);
        const text = answer.text.replace(/"(created|updated)_at":(\d{10})(?=\D)/g, (all, name, value) =>
          name === 'updated' ? `"updated_at":${value}000` : all,
        );
        return { ...answer, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
      },
    ],
    [
      'the items of each page in two fields',
      () => async (question, ask) => {
        const answer = await ask(question);
        const { data, ...page } = Object(answer.json);
        return Array.isArray(data) ? { ...answer, json: { ...page, data, items: data } } : answer;
      },
    ],
    [
      'the same request id in each response',
      () => async (question, ask) => {
        const answer = await ask(question);
        const get = (name: string) => (name.endsWith('-id') ? 'req_1' : answer.headers.get(name));
        return { ...answer, headers: { ...answer.headers, get } };
      },
    ],
    [
      'paths that change during the probe',
      () => {
        let count = 0;
        return (question, ask) => {
          count += 1;
          if (count < 60 || question.kind === 'write') return ask(question);
          return Promise.resolve({
            ...failure,
            status: 404,
            text: JSON.stringify({ error: { code: 'GONE' } }),
          });
        };
      },
    ],
    [
      'objects of another kind in every list',
      () => async (question, ask) => {
        const answer = await ask(question);
        const text = answer.text.replaceAll('"object":"', '"object":"archived_');
        return { ...answer, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
      },
    ],
  ];

  test.each(everyNthRow(disorders, 2))('with %s leads to no wrong conclusion', async (_, makeBetween) => {
    const ask = askSandbox(await seeded());
    const between = makeBetween();
    const report = await probeBy((question) => between(question, ask));
    expectNoWrongConclusion(report);
  });

  test.each([401, 429])('with a %i stops the probe', async (status) => {
    const ask = askSandbox(await seeded());
    let count = 0;
    const report = await probeBy(async (question) => {
      count += 1;
      return count < 20 ? ask(question) : { ...failure, status };
    });
    // The last one deletes the customer.
    expect(count).toBe(21);
    expect(report.requests).toBe(21);
    expect(report.leftovers).toEqual([
      { path: '/v1/customers', id: expect.stringMatching(/^cus_/), reason: `its deletion got a ${status}` },
    ]);
    expect(report.stopped).toContain(`the service answered ${status}`);
    expectNoWrongConclusion(report);
  });
});
