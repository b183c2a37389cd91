import { type Issue, invalidRequest } from '../../base/errors.ts';
import { describeId, describeValue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { meantBy } from '../../base/schema/advice.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const httpMethods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Verb and path of one method of the SDK. */
export interface Route {
  readonly method: HttpMethod;
  /** The path after the base URL, with `{id}` where an id goes. */
  readonly path: string;
  /** Whether it moves money, so that it needs an idempotency key. */
  readonly movesMoney: boolean;
  /** Where it comes from: the service's interface, the SDK's inference, or the `routes` option. */
  readonly source: 'shown' | 'inferred' | 'configured';
}

const overridePattern = /^(GET|POST|PUT|PATCH|DELETE) (.*)$/;

export function isHttpMethod(text: string | undefined): text is HttpMethod {
  const known: readonly (string | undefined)[] = httpMethods;
  return known.includes(text);
}

function placeholders(path: string): string {
  return (path.match(/\{\w+\}/g) ?? []).sort().join(' ');
}

/** A correction of a route: its verb and its path, with the same placeholders. */
export type RouteOverride = `${HttpMethod} /${string}`;

/** Applies a user's correction to a route, or returns its issue. */
function overrideRoute(name: string, route: Route, override: unknown): Route | Issue {
  const at = `routes['${name}']`;
  const [, method, path] = (typeof override === 'string' && overridePattern.exec(override)) || [];
  if (!isHttpMethod(method) || !isPath(path)) {
    const expected = "a verb and a path such as 'POST /v1/things/{id}'";
    return { path: at, expected, received: describeValue(override, '') };
  }
  if (placeholders(path) !== placeholders(route.path)) {
    const expected = `a path with ${placeholders(route.path) || 'no placeholder'}`;
    return { path: at, expected, received: `a path with ${placeholders(path) || 'none'}` };
  }
  return { ...route, method, path, source: 'configured' };
}

/** Applies corrections to the routes, later ones last, and returns the issues of wrong ones. */
export function resolveRoutes(
  table: Readonly<Record<string, Route>>,
  ...corrections: readonly unknown[]
): { readonly routes: ReadonlyMap<string, Route>; readonly issues: readonly Issue[] } {
  const routes = new Map(Object.entries(table));
  const issues: Issue[] = [];
  for (const overrides of corrections) {
    if (overrides === undefined) continue;
    if (!isRecord(overrides)) {
      issues.push(issueAt('routes', 'an object', overrides));
      continue;
    }
    for (const [name, override] of Object.entries(overrides)) {
      const route = Object.hasOwn(table, name) ? table[name] : undefined;
      const corrected =
        route === undefined
          ? unknownRoute('routes', name, Object.keys(table))
          : overrideRoute(name, route, override);
      if ('expected' in corrected) issues.push(corrected);
      else routes.set(name, corrected);
    }
  }
  return { routes, issues };
}

/** Returns the issue of an option that names a method that does not exist. */
export function unknownRoute(option: string, name: string, known: readonly string[]): Issue {
  return {
    path: `${option}['${name}']`,
    expected: "a method's name such as 'refunds.retrieve'",
    received: `an unknown one${meantBy(name, known)}`,
  };
}

/** Encodes one segment of a path. Refuses values that could reach another endpoint. */
function encodeSegment(operation: string, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && isWellFormed(value)) {
    return encodeURIComponent(value);
  }
  const received = value === '.' || value === '..' ? `'${value}'` : describeId(value, name);
  throw invalidRequest(operation, [{ path: name, expected: 'an id', received }]);
}

/** Whether a text has no lone surrogate, which has no percent-encoded form. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Replaces each `{name}` of a path by its percent-encoded value. */
export function fillPath(
  operation: string,
  template: string,
  values: Readonly<Record<string, unknown>>,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(operation, name, values[name]));
}

/** Whether a path stays below the base URL and is plain ASCII, so that it can be sent as it is. */
export function isPath(path: unknown): path is string {
  if (typeof path !== 'string' || !/^\/(?!\/)[!-~]*$/.test(path) || /[?#\\]/.test(path)) return false;
  return !path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
