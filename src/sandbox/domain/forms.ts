import { formatIssue, type Issue, issueWithin } from '../../base/issue.ts';
import { unknownName } from '../../base/unknown-names.ts';
import { idPrefixes } from '../../resources/ids.ts';
import {
  readServiceInterface,
  resolveServiceRoutes,
  type ServiceInterface,
} from '../../resources/service-interface.ts';
import { chosenPrefixes, type Prefixes } from './records/records.ts';

type Routes = ReturnType<typeof resolveServiceRoutes>['routes'];

/** The forms that have one value where none is given. */
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

/** The forms of the service as the sandbox plays them. */
export type Forms = { readonly [Name in ChosenForm]: NonNullable<ServiceInterface[Name]> } & {
  /** The verb and the path of each method. */
  readonly routes: Routes;
  /** What ids begin with. */
  readonly prefixes: Prefixes;
  /** What the form endpoint takes; `undefined` for both encodings. */
  readonly formEncoding: ServiceInterface['formEncoding'];
  /** How deliveries are signed; `undefined` for Standard Webhooks. */
  readonly webhooks: ServiceInterface['webhooks'];
};

function prefixIssues(given: Readonly<Record<string, string>>): readonly Issue[] {
  const known = Object.keys(chosenPrefixes);
  return Object.keys(given)
    .filter((kind) => !known.includes(kind))
    .map((kind) => ({ path: `idPrefixes.${kind}`, ...unknownName(kind, known) }));
}

/** Whether the router can serve a path: it takes a placeholder as a whole segment, and has signs of its own. */
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
 * The forms of an interface, with a choice for each that is left out.
 *
 * @throws RangeError that names the first one that is wrong.
 */
export function readForms(given: unknown): Forms {
  const { known, issues } = readServiceInterface(given);
  const { routes, issues: routeIssues } = resolveServiceRoutes(known);
  const { idPrefixes: prefixes = {} } = known;
  const own = [...routeIssues, ...pathIssues(routes), ...prefixIssues(prefixes)];
  const [issue] = [...issues, ...own.map((one) => issueWithin('interface', one))];
  if (issue !== undefined) throw new RangeError(`${formatIssue(issueWithin('createSandbox', issue))}.`);
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
