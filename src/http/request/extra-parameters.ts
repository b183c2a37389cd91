import type { Issue } from '../../base/errors.ts';
import { issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { unknownRoute } from './route.ts';

/** The methods of the form endpoint whose fields the SDK knows. */
const formMethods = ['auth', 'capture', 'credit', 'refund', 'sale', 'validate', 'void'] as const;

/** The methods of the form endpoint that take extra fields. `transact.submit` takes any field. */
export type FormMethod = `transact.${(typeof formMethods)[number]}`;

/** Parameters that a service has beside those that the interface names, by method. */
export type ExtraParametersOf<Method extends string> = Readonly<
  Partial<Record<Method, readonly string[] | undefined>>
>;

/** The extra parameters of a method. */
interface Extra {
  /** Whether a parameter is one of them, by its path. */
  readonly has: (path: string) => boolean;
  /** Those that are named whole. */
  readonly names: readonly string[];
}

/** The extra parameters of each method. */
export type ExtraParameters = ReadonlyMap<string, Extra>;

const expectedNames =
  "the names of parameters, such as ['payment_intent', 'line_items.tax_code', 'merchant_*']";

/** A star stands for any ending. Alone it would allow everything, misspelt names too. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[^*]+\*?$/.test(value);
}

function matches(path: string, name: string): boolean {
  return name.endsWith('*') ? path.startsWith(name.slice(0, -1)) : path === name;
}

/** The extra parameters of each method, and the issues of wrong ones. */
interface Resolved {
  readonly extraParameters: ExtraParameters;
  readonly issues: readonly Issue[];
}

/**
 * Joins the extra parameters of a service's interface and of a caller.
 *
 * @param methods The methods of the JSON API.
 */
export function resolveExtraParameters(methods: readonly string[], ...given: readonly unknown[]): Resolved {
  const known = [...methods, ...formMethods.map((name) => `transact.${name}`)];
  const names = new Map<string, readonly string[]>();
  const issues: Issue[] = [];
  for (const lists of given) {
    if (lists === undefined) continue;
    if (!isRecord(lists)) {
      issues.push(issueAt('extraParameters', 'an object', lists));
      continue;
    }
    for (const [method, list] of Object.entries(lists)) {
      if (list === undefined) continue;
      if (!known.includes(method)) issues.push(unknownRoute('extraParameters', method, known));
      // A hole of a list is no name.
      else if (!Array.isArray(list) || ![...list].every(isName)) {
        issues.push({ ...issueAt('', expectedNames, list), path: `extraParameters['${method}']` });
      } else names.set(method, [...(names.get(method) ?? []), ...list]);
    }
  }
  const extra = [...names].map(([method, list]) => {
    const has = (path: string) => list.some((name) => matches(path, name));
    return [method, { has, names: list }] as const;
  });
  return { extraParameters: new Map(extra), issues };
}
