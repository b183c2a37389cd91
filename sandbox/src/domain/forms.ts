import type { Issue, ServiceInterface } from 'payments-client';
import { issueWithin } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';
import { refuse } from '../base/refuse.ts';
import {
  fieldNamesOf,
  idPrefixes,
  readServiceInterface,
  resolveExtraParameters,
  resolveServiceRoutes,
  resourceSchemas,
  serviceInterfaceSchema,
  unknownNames,
} from '../sdk.ts';
import { chosenPrefixes, type Prefixes } from './records/records.ts';

type Routes = ReturnType<typeof resolveServiceRoutes>['routes'];

/** The forms that have a default. */
type ChosenForm =
  | 'itemsField'
  | 'objectPlace'
  | 'errorShape'
  | 'requestIdHeader'
  | 'maxLimit'
  | 'timestamps'
  | 'deletion'
  | 'formResponse'
  | 'formAmounts';

/** The sandbox's choice for each form of the service that the interface does not show. */
export type Forms = { readonly [Name in ChosenForm]: NonNullable<ServiceInterface[Name]> } & {
  readonly routes: Routes;
  /** The parameters that an operation takes beside those that the client names. */
  readonly extraParameters: ReturnType<typeof resolveExtraParameters>['extraParameters'];
  readonly prefixes: Prefixes;
  /** The accepted form encoding; `undefined` for both. */
  readonly formEncoding: ServiceInterface['formEncoding'];
  /** The signature scheme; `undefined` for Standard Webhooks. */
  readonly webhooks: ServiceInterface['webhooks'];
};

/** Whether the router can serve a path: a placeholder must be a whole segment, and some characters are special. */
function isServable(path: string): boolean {
  return path.split('/').every((segment) => /^\{\w+\}$/.test(segment) || /^(?![:*])[^{}]*$/.test(segment));
}

function pathIssues(routes: Routes): readonly Issue[] {
  const expected = 'a path whose placeholders are whole segments, and no segment that begins with : or *';
  return [...routes]
    .filter(([, { path }]) => !isServable(path))
    .map(([name, { path }]) => ({ path: `routes['${name}']`, expected, received: `'${path}'` }));
}

/**
 * Reads the forms of an interface and applies the defaults.
 *
 * @throws ConfigurationError that names each invalid one.
 */
export function readForms(given: unknown): Forms {
  const { known, issues } = readServiceInterface(given, serviceInterfaceSchema);
  const { routes, issues: routeIssues } = resolveServiceRoutes(known);
  const { extraParameters, issues: extraIssues } = resolveExtraParameters(
    [...routes.keys()],
    known.extraParameters,
  );
  const { idPrefixes: prefixes = {} } = known;
  const own = [
    ...routeIssues,
    ...extraIssues,
    ...pathIssues(routes),
    ...unknownNames('idPrefixes', prefixes, Object.keys(chosenPrefixes)),
  ];
  const all = [...issues, ...own.map((one) => issueWithin('interface', one))];
  const within = all.map((one) => issueWithin('createSandbox', one));
  if (within.length > 0) refuse(within, 'Correct the interface.');
  return {
    routes,
    extraParameters,
    itemsField: known.itemsField ?? 'data',
    objectPlace: known.objectPlace ?? 'whole',
    errorShape: known.errorShape ?? 'nested',
    requestIdHeader: known.requestIdHeader ?? 'x-request-id',
    maxLimit: known.maxLimit ?? Number.MAX_SAFE_INTEGER,
    timestamps: known.timestamps ?? 'seconds',
    deletion: known.deletion ?? 'object',
    prefixes: { ...idPrefixes, ...chosenPrefixes, ...prefixes },
    formEncoding: known.formEncoding,
    formResponse: known.formResponse ?? 'unescaped',
    formAmounts: known.formAmounts ?? 'currency',
    webhooks: known.webhooks,
  };
}

/** The timestamps whose names do not end in `_at`. */
const otherNames = new Set([
  'billing_cycle_anchor',
  'created',
  'current_period_end',
  'current_period_start',
  'data_as_of',
  'stale_after',
]);

/** Timestamps that the sandbox sets in objects whose fields the interface does not show. */
const ownNames = new Set(['created_at', 'updated_at']);

function isResourceName(name: unknown): name is keyof typeof resourceSchemas {
  return typeof name === 'string' && Object.hasOwn(resourceSchemas, name);
}

/** Whether a field of a kind is a timestamp. Fields that the merchant set are not: they are returned unchanged. */
function isTimestamp(kind: unknown, name: string): boolean {
  if (!isResourceName(kind)) return false;
  const known = fieldNamesOf(kind);
  if (known === undefined) return ownNames.has(name);
  return known.includes(name) && (name.endsWith('_at') || otherNames.has(name));
}

function inMilliseconds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inMilliseconds);
  if (!isRecord(value)) return value;
  const { object: kind } = value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'number' && isTimestamp(kind, name) ? part * 1000 : inMilliseconds(part),
    ]),
  );
}

/** Converts the timestamps in a value to the configured unit. The sandbox stores seconds. */
export function withTimestamps(value: unknown, { timestamps }: Pick<Forms, 'timestamps'>): unknown {
  return timestamps === 'seconds' ? value : inMilliseconds(value);
}
