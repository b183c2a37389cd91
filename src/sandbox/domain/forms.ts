import { type Issue, issueWithin } from '../../base/issue.ts';
import { refuse } from '../../base/refuse.ts';
import { unknownNames } from '../../base/unknown-names.ts';
import { idPrefixes } from '../../resources/ids.ts';
import {
  readServiceInterface,
  resolveServiceRoutes,
  type ServiceInterface,
} from '../../resources/service-interface.ts';
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
  /** The method and path of each operation. */
  readonly routes: Routes;
  /** The id prefixes. */
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
  const { known, issues } = readServiceInterface(given);
  const { routes, issues: routeIssues } = resolveServiceRoutes(known);
  const { idPrefixes: prefixes = {} } = known;
  const own = [
    ...routeIssues,
    ...pathIssues(routes),
    ...unknownNames('idPrefixes', prefixes, Object.keys(chosenPrefixes)),
  ];
  const all = [...issues, ...own.map((one) => issueWithin('interface', one))];
  const within = all.map((one) => issueWithin('createSandbox', one));
  if (within.length > 0) refuse(within, 'Correct the interface.');
  return {
    routes,
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
    formAmounts: known.formAmounts ?? 'decimal',
    webhooks: known.webhooks,
  };
}
