/** Reaches inside: the probe has no public entry, only the program, which its tests start for a few cases. */

import type { Sandbox } from 'payments-client-sandbox';
import { isCollectionName } from '../../../src/resources/collection-objects.ts';
import { routes } from '../../../src/resources/routes.ts';
import type { Need } from '../../src/probe/finding.ts';
import { collectionPaths, targetsOf } from '../../src/probe/path-forms.ts';
import { probe, type Report } from '../../src/probe/probe.ts';
import type { Answer, Question } from '../../src/probe/question.ts';
import { type Service, send } from '../../src/probe/sender.ts';
import { type ServiceOptions, serviceAt } from '../../src/probe/service.node.ts';

/** Everything that a probe may be allowed to do. */
export const everything: ReadonlySet<Need> = new Set(['a test key', '--create', '--form']);

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

/** Probes without a pause between requests. */
export function probeBy(ask: Ask, allows: ReadonlySet<Need> = everything): Promise<Report> {
  return probe({ allows, keys: [], ask, pace: 0, maxRequests: 2000, onQuestion: () => {} });
}

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
