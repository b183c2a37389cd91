import type { Issue } from '../../base/errors.ts';
import { issueWithin } from '../../base/issue.ts';
import { snapshot } from '../../base/json.ts';
import { type FieldsOf, headerName, integerFrom, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { check } from '../../base/schema/validation.ts';
import type { ErrorShape, ObjectPlace, ServiceForms } from '../../http/client/connection.ts';
import type { ExtraParametersOf, FormMethod } from '../../http/request/extra-parameters.ts';
import { type RouteOverride, resolveRoutes } from '../../http/request/route.ts';
import { type RouteName, routes } from '../routes.ts';
import { type WebhookForm, webhookForm } from './webhook-form.ts';

export type { ErrorShape, ObjectPlace } from '../../http/client/connection.ts';

/**
 * The paths and formats of a service that its interface does not show. `npx payments-client probe` finds them, or you know
 * them. Pass them to a client, a sandbox or `Webhooks`. Omitted fields are inferred.
 */
export interface ServiceInterface extends ServiceForms {
  /** Where an editor finds the schema of the file. */
  readonly $schema?: string | undefined;
  /** The version of this format. Default: 1. */
  readonly version?: 1 | undefined;
  /**
   * Corrections of the inferred routes. A file can only correct: a read stays a GET, a write is none, and one that moves money is no DELETE.
   * No method gets a path that another one has, or had before the file, nor a path with `%` or `;`. The option `routes` of the client may do
   * anything.
   */
  readonly routes?: Readonly<Partial<Record<RouteName, RouteOverride>>> | undefined;
  /**
   * Parameters that the service takes beside those that the SDK knows, by method. A dot leads into an object or a list, and a star at the
   * end stands for any ending. They pass unchecked, and one that is named whole may stand for a parameter of an `either … or`.
   */
  readonly extraParameters?: ExtraParametersOf<RouteName | FormMethod> | undefined;
  /** The unit of timestamps, for `toDate`. */
  readonly timestamps?: 'seconds' | 'milliseconds' | undefined;
  /** The response of a deletion: the object, its id with `deleted`, or nothing. */
  readonly deletion?: 'object' | 'confirmation' | 'empty' | undefined;
  /** The prefixes of ids, by the name in `object`, for the kinds whose prefix the interface does not show. */
  readonly idPrefixes?: Readonly<Record<string, string>> | undefined;
  /** The encoding of requests to the form endpoint. */
  readonly formEncoding?: 'urlencoded' | 'multipart' | undefined;
  /** The format of the form endpoint's responses: pairs without escapes, percent-encoded pairs, or a JSON object. */
  readonly formResponse?: 'unescaped' | 'escaped' | 'json' | undefined;
  /** The format of the form endpoint's amounts: with the decimals of their currency, always two, or whole minor units. */
  readonly formAmounts?: 'currency' | 'two-decimals' | 'integer' | undefined;
  /** How deliveries of webhooks are signed. */
  readonly webhooks?: WebhookForm | undefined;
}

/** The names of all shapes of an error. */
export const errorShapes: readonly ErrorShape[] = ['nested', 'flat', 'list', 'problem', 'text', 'html'];

/** The names of all places of an object. */
export const objectPlaces: readonly ObjectPlace[] = ['whole', 'data', 'type'];

const itemsFieldText = 'the name of a field, other than has_more and next_cursor';
const isItemsField = (name: string) => name !== 'has_more' && name !== 'next_cursor';

/** The schema of each field, as a client needs it. */
const clientFields = (): FieldsOf<ServiceInterface> => ({
  $schema: s.optional(s.string()),
  version: s.optional(s.literal(1)),
  // Checked with the table of routes.
  routes: unchecked(),
  // Checked by a function of its own.
  extraParameters: unchecked(),
  itemsField: s.optional(s.filled(itemsFieldText).check(s.refine(isItemsField, itemsFieldText))),
  objectPlace: s.optional(s.literal(objectPlaces)),
  errorShape: s.optional(s.literal(errorShapes)),
  requestIdHeader: s.optional(headerName()),
  maxLimit: s.optional(integerFrom(1)),
  timestamps: s.optional(s.literal(['seconds', 'milliseconds'])),
  deletion: s.optional(s.literal(['object', 'confirmation', 'empty'])),
  idPrefixes: s.optional(s.record(s.filled('the beginning of an id'))),
  formEncoding: s.optional(s.literal(['urlencoded', 'multipart'])),
  formResponse: s.optional(s.literal(['unescaped', 'escaped', 'json'])),
  formAmounts: s.optional(s.literal(['currency', 'two-decimals', 'integer'])),
  // Checked by `Webhooks`: a client has no deliveries, and would carry the schema.
  webhooks: unchecked(),
});

/** The schema of each field. */
export const serviceInterfaceFields = (): FieldsOf<ServiceInterface> => ({
  ...clientFields(),
  webhooks: s.optional(webhookForm),
});

const expectedInterface = 'an object such as payments.interface.json has';
const clientSchema = /* @__PURE__ */ optionsOf<ServiceInterface>(clientFields, expectedInterface);
/** The schema of the whole interface. */
export const serviceInterfaceSchema = /* @__PURE__ */ optionsOf<ServiceInterface>(
  serviceInterfaceFields,
  expectedInterface,
);

/**
 * Checks a {@link ServiceInterface}, and returns its issues.
 *
 * @param schema Default: that of a client, which leaves `webhooks` unchecked.
 */
export function readServiceInterface(
  given: unknown,
  schema = clientSchema,
): {
  readonly known: ServiceInterface;
  readonly issues: readonly Issue[];
} {
  if (given === undefined) return { known: {}, issues: [] };
  const copied = snapshot(given);
  const checked = 'issue' in copied ? { issues: [copied.issue] } : check(schema, copied.value);
  if ('value' in checked) return { known: checked.value, issues: [] };
  return { known: {}, issues: checked.issues.map((issue) => issueWithin('interface', issue)) };
}

/** Applies the corrections of a service's interface, then those of a caller, and returns the issues of wrong ones. */
export function resolveServiceRoutes({ routes: known }: ServiceInterface, own?: unknown) {
  return resolveRoutes(routes, known, own);
}
