import type { Issue } from '../../base/errors.ts';
import { issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { unknownRoute } from '../../http/request/route.ts';
import { isRouteName, type RouteName, routes } from '../routes.ts';

/** Parameters that the service has beside those that the interface names, by method. */
export type ExtraParameters = Readonly<Partial<Record<RouteName, readonly string[]>>>;

const expectedNames = "the names of parameters, such as ['payment_intent']";

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Joins the extra parameters of a service's interface and of a caller, and returns the issues of wrong ones. */
export function resolveExtraParameters(...given: readonly unknown[]): {
  readonly extraParameters: ReadonlyMap<string, readonly string[]>;
  readonly issues: readonly Issue[];
} {
  const extraParameters = new Map<string, readonly string[]>();
  const issues: Issue[] = [];
  for (const lists of given) {
    if (lists === undefined) continue;
    if (!isRecord(lists)) {
      issues.push(issueAt('extraParameters', 'an object', lists));
      continue;
    }
    for (const [method, names] of Object.entries(lists)) {
      if (!isRouteName(method)) issues.push(unknownRoute('extraParameters', method, Object.keys(routes)));
      else if (!Array.isArray(names) || !names.every(isName)) {
        issues.push({ ...issueAt('', expectedNames, names), path: `extraParameters['${method}']` });
      } else extraParameters.set(method, [...(extraParameters.get(method) ?? []), ...names]);
    }
  }
  return { extraParameters, issues };
}
