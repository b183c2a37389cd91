/** Reaches inside: probes services in this process, by the hundred requests, and contradictory ones that no server can be. */

import fc from 'fast-check';
import type { ServiceInterface } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pairwise } from '../../../test/support/pairwise.ts';
import { bySize, everyNth } from '../../../test/support/size.ts';
import { listRequests } from '../../src/probe/dry-run.ts';
import type { Report } from '../../src/probe/probe.ts';
import { type Answer, type Question, toAnswer } from '../../src/probe/question.ts';
import { methodOf, targetOf, Unanswered } from '../../src/probe/sender.ts';
import {
  type Ask,
  askSandbox,
  everything,
  lineOf,
  probeBy,
  routesInForm,
  serviceOf,
  withJson,
} from './support.ts';

let listed: readonly string[];
beforeAll(async () => {
  listed = await listRequests(everything);
});

/** Formats a request without generated ids, limits between two tested ones, and the text in brackets. */
function shape(request: string): string {
  return request
    .replace(/ \(.*\)$/, '')
    .replace(/\/(?:ID-[A-Z-]+|[a-z]+_[\dA-Za-z]{4,}|[a-z_]*[a-z]_(?=[\da-f]*\d)[\da-f]+)(?=\/|$)/g, '/ID')
    .replace(/limit=\d+/, 'limit=N');
}

const forms = {
  itemsField: ['data', 'items', 'results', 'a_list'],
  objectPlace: ['whole', 'data', 'type'],
  errorShape: ['nested', 'flat', 'list', 'problem', 'text', 'html'],
  requestIdHeader: ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'],
  timestamps: ['seconds', 'milliseconds'],
  deletion: ['object', 'confirmation', 'empty'],
  maxLimit: [undefined, 100, 37, 999],
  idPrefixes: [undefined, { product: 'item_', account: 'acct_' }],
  formEncoding: ['urlencoded', 'multipart'],
  formResponse: ['unescaped', 'escaped', 'json'],
  routes: [0, 1, 2, 3],
  isFull: [true, false],
} as const;

/** Adds an object to every list that has a scenario. */
function fill(sandbox: Sandbox): void {
  sandbox.seed({ customers: 3, intents: 20, months: 1 });
  for (const kind of ['product', 'account'] as const) sandbox.add(kind);
}

test.each(
  everyNth(
    pairwise(forms).map((one, index) => [index, one] as const),
    8,
  ),
)('detects the forms of case %i, by requests that the dry run lists', async (_, one) => {
  const { routes: index, isFull, ...rest } = one;
  const given = { ...rest, routes: routesInForm(index) } as ServiceInterface;
  const sandbox = createSandbox({ interface: given });
  onTestFinished(() => sandbox.close());
  if (isFull) fill(sandbox);
  const ask = askSandbox(sandbox);
  const sent = new Set<string>();

  const report = await probeBy((question) => {
    sent.add(shape(`${methodOf(question)} ${targetOf(question)}`));
    return ask(question);
  });

  const { maxLimit, idPrefixes, routes: changed, ...always } = given;
  expect(report.stopped).toBeUndefined();
  const { idPrefixes: prefixes, ...known } = report.known;
  expect(known).toEqual({
    version: 1,
    ...always,
    ...(maxLimit !== undefined && { maxLimit }),
    ...(Object.keys(changed ?? {}).length > 0 && { routes: changed }),
  });
  // Without objects there is no prefix to read.
  if (isFull) expect(prefixes).toMatchObject(idPrefixes ?? { product: 'prod_' });
  const unclear = report.lines.filter(({ verdict }) => verdict === 'not asked' || verdict === 'not seen');
  // The sandbox states no amount of a form.
  expect(unclear.map(({ id }) => id)).toEqual(isFull ? ['G36', 'G82'] : ['G7', 'G36', 'G82']);
  expect(report.leftovers).toEqual([]);
  if (index > 0) return;
  const shapes = new Set(listed.map(shape));
  expect([...sent].filter((request) => !shapes.has(request))).toEqual([]);
});

test('the dry run lists only reads by default, and says of each other request why it changes nothing', async () => {
  const reads = await listRequests(new Set());
  expect(reads.length).toBeGreaterThan(80);
  expect(reads.filter((request) => !request.startsWith('GET /v1/'))).toEqual([]);
  const reasons =
    /\((?:.*300 characters.*|half a JSON object|an unknown id|a test object|.*no card.*|.*a test (?:card|sale).*)\)$/;
  const others = listed.filter((request) => !request.startsWith('GET '));
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter((request) => !reasons.test(request))).toEqual([]);
});

describe('without a permission', () => {
  test.each([
    [
      'a test key',
      ['--create', '--form', '--sale'],
      ['G11', 'G23', 'G24', 'G25', 'G27', 'G60'],
      ['locked', 'transaction'],
    ],
    ['--create', ['a test key', '--form', '--sale'], ['G22', 'G65', 'G106'], ['write']],
    ['--form', ['a test key', '--create', '--sale'], ['G29', 'G62', 'G80'], ['form', 'transaction']],
    ['--sale', ['a test key', '--create', '--form'], ['G82'], ['transaction']],
  ] as const)(
    'for %s, its gaps are not asked, and no such request is sent',
    async (need, others, gaps, without) => {
      const sandbox = createSandbox();
      onTestFinished(() => sandbox.close());
      const ask = askSandbox(sandbox);
      const kinds = new Set<string>();
      const report = await probeBy((question) => {
        kinds.add(question.kind);
        return ask(question);
      }, new Set(others));
      const notAsked = report.lines.filter(({ verdict, id }) => verdict === 'not asked' && id !== 'G36');
      expect(notAsked.map(({ id, detail }) => [id, detail])).toEqual(gaps.map((id) => [id, `needs ${need}`]));
      const all = ['read', 'locked', 'write', 'form', 'transaction'];
      expect(kinds).toEqual(new Set(all.filter((kind) => !without.some((one) => one === kind))));
    },
  );
});

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

/** Checks that no conclusion is wrong. An undetected form is not a mistake. */
function expectNoWrongConclusion({ known, lines }: Report): void {
  const { idPrefixes, ...rest } = known;
  expect(truth).toMatchObject(rest);
  expect(idPrefixes?.['product'] ?? 'prod_').toBe('prod_');
  expect(lines.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
}

const json = (body: unknown, init?: ResponseInit) => async () => Response.json(body, init);

describe('a server that is not the service', () => {
  test.each<[string, () => Promise<Response>]>([
    ['a login page for every path', async () => new Response('<!doctype html><title>Log in</title>')],
    ['one JSON object for every path', json({ id: 'obj_1', object: 'thing', has_more: false })],
    ['one refusal for every path', json({ error: { code: 'NOT_FOUND', message: 'no' } }, { status: 404 })],
    ['405 for everything', json({ message: 'method not allowed' }, { status: 405 })],
    ['403 for everything', json({ error: { code: 'FORBIDDEN', message: 'no' } }, { status: 403 })],
    ['a redirect', async () => new Response(null, { status: 302, headers: { location: '/login' } })],
    ['500 for everything', async () => new Response('oops', { status: 500 })],
    ['nothing', async () => Promise.reject(new TypeError('fetch failed'))],
    ['an empty body for every path', async () => new Response('')],
  ])('with %s leads to no conclusion', async (_, fetch) => {
    const { known, lines } = await probeBy(serviceOf(fetch));
    // Its one refusal may have the shape of all refusals.
    const { errorShape: __, ...rest } = known;
    expect(rest).toEqual({ version: 1 });
    expect(lines.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
    expect(lines.filter(({ verdict, id }) => verdict === 'as assumed' && id !== 'G44')).toEqual([]);
  });

  test('with an empty list under every path has no known paths', async () => {
    const report = await probeBy(serviceOf(json({ data: [], has_more: false })));
    for (const id of ['G26', 'G59', 'G23', 'G25', 'G60']) expect(lineOf(report, id).verdict).toBe('not seen');
    expect(report.known.routes).toBeUndefined();
  });
});

/** Stands between the probe and a sandbox. */
type Between = (question: Question, ask: Ask) => Promise<Answer>;

const failure = toAnswer(500, { get: () => null }, 'oops');
const refusal = (status: number, code: string): Answer =>
  withJson({ ...failure, status }, { error: { code, message: 'no' } });

/** Answers every nth request in its own way. */
function everyNthRequest(n: number, answer: () => Promise<Answer>): Between {
  let count = 0;
  return (question, ask) => {
    count += 1;
    return count % n === 0 ? answer() : ask(question);
  };
}

/** Changes the answers of the sandbox. */
const changing =
  (change: (answer: Answer) => Answer): (() => Between) =>
  () =>
  async (question, ask) =>
    change(await ask(question));

describe('an inconsistent service', () => {
  function full(): Ask {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    fill(sandbox);
    return askSandbox(sandbox);
  }

  test.each(
    everyNth<[string, () => Between]>(
      [
        ['a 500 for every third request', () => everyNthRequest(3, async () => failure)],
        [
          'every other request lost',
          () => everyNthRequest(2, () => Promise.reject(new Unanswered('ECONNRESET'))),
        ],
        [
          'unknown paths treated as unknown objects',
          changing((answer) =>
            answer.status < 400 || answer.status > 404 ? answer : refusal(404, 'NOT_FOUND'),
          ),
        ],
        [
          'a proxy that rewrites every code',
          changing((answer) =>
            answer.status < 400 ? answer : { ...answer, text: '<title>Bad gateway</title>', json: undefined },
          ),
        ],
        [
          'paths that change during the probe',
          () => {
            let count = 0;
            return (question, ask) => {
              count += 1;
              return count < 60 || question.kind === 'write'
                ? ask(question)
                : Promise.resolve(refusal(404, 'GONE'));
            };
          },
        ],
        [
          'objects of another kind in every list',
          changing(({ status, headers, text }) =>
            toAnswer(status, headers, text.replaceAll('"object":"', '"object":"archived_')),
          ),
        ],
      ],
      2,
    ),
  )('with %s leads to no wrong conclusion', async (_, makeBetween) => {
    const ask = full();
    const between = makeBetween();
    expectNoWrongConclusion(await probeBy((question) => between(question, ask)));
  });

  test('that looks for an object before it looks at the path below shows no operation', async () => {
    const changed = routesInForm(1);
    const sandbox = createSandbox({ interface: { version: 1, routes: changed } as ServiceInterface });
    onTestFinished(() => sandbox.close());
    const ask = askSandbox(sandbox);
    const [, path = ''] = (changed['customers.restore'] ?? 'POST /v1/customers/{id}/restore').split(' ');
    const ofNobody = /^\/v1\/(?!no_such)[^/]+\/([^/]*no_such_object[^/]*)\/[^/]+$/;
    const report = await probeBy(
      (question) => {
        const [, id] = ofNobody.exec(targetOf(question)) ?? [];
        const isMoved = question.kind === 'locked' && id !== undefined;
        return ask(isMoved ? { ...question, path: path.replace('{id}', id) } : question);
      },
      new Set(['a test key']),
    );
    // The path of a read is asked without a write, and found.
    expect(lineOf(report, 'G24').verdict).toBe('differs');
    for (const id of ['G23', 'G25', 'G60']) expect(lineOf(report, id).verdict).toBe('not seen');
    const names = Object.keys(report.known.routes ?? {});
    expect(names.filter((name) => !/\.(?:list|retrieve|expand)$/.test(name))).toEqual([]);
  });

  test('with random answers, the right one, the one before or a 404, leads to no wrong conclusion', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(2)), async (choices) => {
        const ask = full();
        let last = failure;
        const report = await probeBy(
          async (question) => {
            const answer = await ask(question);
            const shown = [answer, last, { ...failure, status: 404, text: 'not found' }];
            last = answer;
            return shown[choices.next().value] ?? answer;
            // Of a form and of what it made, the probe compares two answers, which chance can make equal or not.
          },
          new Set(['a test key']),
        );
        expectNoWrongConclusion(report);
      }),
      { numRuns: bySize({ short: 1, all: 10 }) },
    );
  });
});
