/** Reaches inside: the probe has no public entry, only the program, which its tests start for a few cases. */

import type { Sandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { isCollectionName } from '../../../src/resources/collection-objects.ts';
import { routes } from '../../../src/resources/routes.ts';
import type { Finding, Gap, Need } from '../../src/probe/finding.ts';
import { collectionPaths, targetsOf } from '../../src/probe/path-forms.ts';
import { probe, type Report } from '../../src/probe/probe.ts';
import { type Answer, type Question, toAnswer } from '../../src/probe/question.ts';
import { type Service, send } from '../../src/probe/sender.ts';
import { type ServiceOptions, serviceAt } from '../../src/probe/service.node.ts';
import { Session } from '../../src/probe/session.ts';

/** Everything that a probe may be allowed to do. */
export const everything: ReadonlySet<Need> = new Set(['a test key', '--create', '--form', '--sale']);

/** Sends a question to a service. */
export type Ask = (question: Question) => Promise<Answer>;

/** Returns a service that is a function. */
export function serviceOf(
  fetch: (request: Request) => Promise<Response>,
  keys: Partial<ServiceOptions> = {},
): Ask {
  const options = { baseUrl: 'http://localhost', secretKey: 'sk_v1_test_1', securityKey: 'key', ...keys };
  const service: Service = {
    ...serviceAt(options),
    send: ({ url, method, headers, body = null }, signal) =>
      fetch(new Request(url, { method, headers, body, signal })),
  };
  return (question) => send(question, service);
}

/** Returns a sandbox in process. */
export function askSandbox(sandbox: Sandbox): Ask {
  const { secretKey, securityKey } = sandbox;
  return serviceOf((request) => sandbox.fetch(request), { secretKey, securityKey });
}

const unhurried = { pace: 0, maxRequests: 2000, onQuestion: () => {} };

/** Probes without a pause between requests. */
export function probeBy(
  ask: Ask,
  allows: ReadonlySet<Need> = everything,
  keys: readonly string[] = [],
): Promise<Report> {
  return probe({ ...unhurried, allows, keys, ask });
}

/** Reads one gap, with the requests that it needs. */
export function findingOf(gap: Gap, ask: Ask): Promise<Finding> {
  return new Session({ ...unhurried, ask }, () => true).run(gap.read());
}

/** What a service answers by method and path: a JSON body, a response, or a function of the request. */
export type Answers = Readonly<Record<string, unknown>>;

/** Returns a service that knows only some paths. A path without its query stands for all queries. */
function serviceWith(answers: Answers, keys?: Partial<ServiceOptions>): Ask {
  return serviceOf(async (request) => {
    const { pathname, search } = new URL(request.url);
    const name = [`${request.method} ${pathname}${search}`, `${request.method} ${pathname}`].find((one) =>
      Object.hasOwn(answers, one),
    );
    const answer = name === undefined ? unknownPath() : answers[name];
    const body: unknown = typeof answer === 'function' ? await answer(request) : answer;
    return body instanceof Response ? body.clone() : Response.json(body);
  }, keys);
}

/** The answer for a path or an object that there is not. */
export const unknownPath = (code = 'NOT_FOUND') =>
  Response.json({ error: { code, message: 'none' } }, { status: 404 });

/** An answer with other JSON. */
export const withJson = ({ status, headers }: Answer, json: unknown): Answer =>
  toAnswer(status, headers, JSON.stringify(json));

/** Returns the result of one gap. */
export function lineOf({ lines }: Report, id: string) {
  const line = lines.find((one) => one.id === id);
  if (line === undefined) throw new Error(`There is no line for ${id}.`);
  return line;
}

type Routes = Record<string, string>;

/** Returns every inferred route in the nth of its known forms, if it differs from the assumed one. */
export function routesInForm(index: number): Routes {
  const others: Routes = {};
  for (const [name, { source, path, method }] of Object.entries(routes)) {
    const [collection = '', operation = ''] = name.split('.');
    if (source !== 'inferred' || !isCollectionName(collection)) continue;
    const bases = collectionPaths(collection);
    const base = bases[index % bases.length] ?? '';
    const targets =
      operation === 'list' ? [{ method: 'GET', path: base }] : targetsOf(operation, { method, path }, base);
    const target = targets[index % targets.length];
    if (target === undefined || (target.method === method && target.path === path)) continue;
    others[name] = `${target.method} ${target.path}`;
  }
  return others;
}

/** What a service is like, its answers, and its finding: the verdict, the detail and the facts for the file. */
export type Row = readonly [what: string, answers: Answers, expected: readonly unknown[]];

/** A page of a list. */
export const page = (items: readonly unknown[], field = 'data') => ({ [field]: items, has_more: false });

/** A service with these objects in the lists of products, charges and so on. */
export const lists = (items: Readonly<Record<string, readonly unknown[]>>): Answers =>
  Object.fromEntries(Object.entries(items).map(([name, some]) => [`GET /v1/${name}`, page(some)]));

/** A finding as in the tables. */
export const summary = ({ verdict, detail, known }: Finding) => [verdict, detail, known];

/** Tests the finding of one gap for each service. */
export function reads(gap: Gap, rows: readonly Row[]): void {
  test.each(rows)(`${gap.id}, ${gap.title}: %s`, async (_, answers, expected) => {
    const [verdict, detail, known] = expected;
    expect(summary(await findingOf(gap, serviceWith(answers)))).toEqual([verdict, detail, known]);
  });
}
