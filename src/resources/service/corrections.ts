/** What an interface file may correct. It comes from outside the program, so it must not make one method another one. */

import type { Issue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Route } from '../../http/request/route.ts';
import { isRouteName, type RouteName, routes as table } from '../routes.ts';

type Routes = ReadonlyMap<string, Route>;

/** Stands for an id in a path. */
const anyId = '{}';

/** Returns a segment without the dots that some servers ignore at its end. */
function withoutEnd(segment: string): string {
  // Without the look behind, each dot of a long row would be a start.
  return segment.replace(/(?<!\.)\.+$/, '');
}

/** Returns the segments of a path as the most tolerant server reads them: in lower case, and without empty ones. */
function segmentsOf(path: string): readonly string[] {
  const names = path.toLowerCase().split('/').map(withoutEnd);
  return names.filter((name) => name !== '').map((name) => (/\{\w+\}/.test(name) ? anyId : name));
}

/** Returns the verb of a route as a tolerant server reads it. */
const verbOf = ({ method }: Route) => method.replace(/PUT|PATCH/, 'POST');

/** Whether two routes are one. For those that `mayBe` one, a placeholder is like any segment, and a format such as `.json` is none. */
function isLike(one: Route, other: Route, mayBe: boolean): boolean {
  const [own, others] = [segmentsOf(one.path), segmentsOf(other.path)];
  const nameOf = (segment = '') => (mayBe ? segment.split('.')[0] : segment);
  const fits = (segment: string, index: number) =>
    nameOf(segment) === nameOf(others[index]) || (mayBe && [segment, others[index]].includes(anyId));
  return verbOf(one) === verbOf(other) && own.length === others.length && own.every(fits);
}

/**
 * Returns the other method whose route a corrected one has, or that had it before: the service may still serve it there. No method has even a
 * path that might be that of another one which moves money.
 */
function calledInstead(name: RouteName, route: Route, routes: Routes): string | undefined {
  const others = [...routes, ...Object.entries(table)].filter(([other]) => other !== name);
  return others.find(([, one]) => isLike(route, one, one.movesMoney))?.[0];
}

/** Returns what a file must not make of a route, whatever the others are. */
function misfitOf(before: Route, { method, path }: Route): Omit<Issue, 'path'> | undefined {
  const isRead = before.method === 'GET';
  if (isRead !== (method === 'GET')) {
    return { expected: isRead ? 'a GET, since it reads' : 'no GET, since it writes', received: method };
  }
  // A DELETE is repeated after a failure, whatever its key.
  if (before.movesMoney && method === 'DELETE')
    return { expected: 'no DELETE, since it moves money', received: method };
  // Servers differ in how they read these, so that no comparison is sure.
  const [odd] = /[%;]/.exec(path) ?? [];
  return odd === undefined
    ? undefined
    : { expected: "a path without '%' and ';'", received: `one with '${odd}'` };
}

function issueOf(name: RouteName, routes: Routes): Issue | undefined {
  const [before, route] = [table[name], routes.get(name) ?? table[name]];
  const path = `routes['${name}']`;
  const misfit = misfitOf(before, route);
  if (misfit !== undefined) return { path, ...misfit };
  const other = calledInstead(name, route, routes);
  return other === undefined
    ? undefined
    : { path, expected: 'no path of another method', received: `that of ${other}` };
}

/**
 * Returns the issues of what a file corrects, after all corrections. What the program itself corrects is its own affair.
 *
 * @param known The corrections of the file.
 * @param own Those of the program.
 */
export function correctionIssues(known: unknown, own: unknown, routes: Routes): readonly Issue[] {
  if (!isRecord(known)) return [];
  const names = Object.keys(known).filter(isRouteName);
  return names
    .filter((name) => !(isRecord(own) && Object.hasOwn(own, name)))
    .flatMap((name) => issueOf(name, routes) ?? []);
}
