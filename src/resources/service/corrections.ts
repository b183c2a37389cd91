/** What an interface file may correct. It comes from outside the program, so it must not make one method another one. */

import type { Issue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Route } from '../../http/request/route.ts';
import { isRouteName, type RouteName, routes as table } from '../routes.ts';

type Routes = ReadonlyMap<string, Route>;

/** Stands for an id in a path. */
const anyId = '{}';

/** Returns a path without escapes, which a server may read more than once. */
function withoutEscapes(path: string, most = 3): string {
  if (most === 0 || !path.includes('%')) return path;
  const read = path.replaceAll(/%[\da-f]{2}/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return withoutEscapes(read, most - 1);
}

/** Returns a segment up to its parameters or a control character, and without the dots and blanks that some servers ignore at the end. */
function withoutEnd(segment: string): string {
  const [name = ''] = segment.split(/[;?#\p{Cc}]/u);
  // Without the look behind, each blank of a long row would be a start.
  return name.replace(/(?<![. ])[. ]+$/, '');
}

/** Returns the segments of a path as the most tolerant server reads them: in lower case, without parameters and empty ones, and dots resolved. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of withoutEscapes(path).toLowerCase().split(/[/\\]/)) {
    const name = withoutEnd(segment);
    if (segment === '..') segments.pop();
    else if (name !== '') segments.push(/\{\w+\}/.test(name) ? anyId : name);
  }
  return segments;
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

/** Returns the other method whose route a corrected one has. One that moves no money has not even a path that might move some. */
function calledInstead(name: RouteName, route: Route, routes: Routes): string | undefined {
  const same = [...routes].find(([other, one]) => other !== name && isLike(route, one, false));
  if (same !== undefined || route.movesMoney) return same?.[0];
  // What moved money before a correction may still do it.
  const all = [...routes, ...Object.entries(table)];
  return all.find(([, one]) => one.movesMoney && isLike(route, one, true))?.[0];
}

function issueOf(name: RouteName, routes: Routes): Issue | undefined {
  const [before, route] = [table[name], routes.get(name) ?? table[name]];
  const at = `routes['${name}']`;
  const isRead = before.method === 'GET';
  if (isRead !== (route.method === 'GET')) {
    return {
      path: at,
      expected: isRead ? 'a GET, since it reads' : 'no GET, since it writes',
      received: route.method,
    };
  }
  const other = calledInstead(name, route, routes);
  return other === undefined
    ? undefined
    : { path: at, expected: 'no path of another method', received: `that of ${other}` };
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
