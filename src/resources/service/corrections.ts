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
  let end = name.length;
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
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

/** Whether each segment of a path fits the one at its place in another path. */
function everySegment(one: Route, other: Route, fits: (segment: string, other: string) => boolean): boolean {
  const [own, others] = [segmentsOf(one.path), segmentsOf(other.path)];
  return own.length === others.length && own.every((segment, index) => fits(segment, others[index] ?? ''));
}

/** Whether two routes are one. */
function isSame(one: Route, other: Route): boolean {
  return one.method === other.method && everySegment(one, other, (own, others) => own === others);
}

/** The verbs that a tolerant server takes for each other. */
const verbs: Readonly<Partial<Record<string, string>>> = { PUT: 'POST', PATCH: 'POST' };

const verbOf = ({ method }: Route) => verbs[method] ?? method;

/** Returns a segment without the format that some servers read at its end, such as `.json`. */
const withoutFormat = (segment: string) => segment.split('.', 1)[0];

/** Whether a server may take a route for another one: a placeholder may be any segment. */
function mayBe(one: Route, other: Route): boolean {
  const fits = (own: string, others: string) =>
    withoutFormat(own) === withoutFormat(others) || own === anyId || others === anyId;
  return verbOf(one) === verbOf(other) && everySegment(one, other, fits);
}

/** Returns the other method whose route a corrected one has. One that moves no money has not even a path that might move some. */
function calledInstead(name: RouteName, route: Route, routes: Routes): string | undefined {
  const same = [...routes].find(([other, one]) => other !== name && isSame(route, one));
  if (same !== undefined || route.movesMoney) return same?.[0];
  // What moved money before a correction may still do it.
  const all = [...routes, ...Object.entries(table)];
  return all.find(([, one]) => one.movesMoney && mayBe(route, one))?.[0];
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
