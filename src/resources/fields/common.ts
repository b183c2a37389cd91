import { refuseValue } from '../../base/errors.ts';
import type { OrUnlisted } from '../../base/schema/schema.ts';
import * as s from '../../base/schema/schema.ts';

/** How invoices are collected (*shown*). */
export type CollectionMethod = OrUnlisted<'charge_automatically' | 'send_invoice'>;

/** Fields whose names the interface does not show. They are sent and returned unchanged. */
export type UnknownFields = Readonly<Record<string, unknown>>;

/** Your own data on an object: string keys with string values. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Returns a field that this version of the SDK does not know, as the service sent it; `undefined` if it is absent.
 *
 * Resources keep every field that the service sends. Their types name only the documented fields, so that a typo does not
 * compile. This function reads the other fields.
 *
 * @throws ConfigurationError when the resource is not an object.
 *
 * @example
 * const label = unknownField(intent, 'risk_label'); // unknown: check it before you use it
 */
export function unknownField(resource: object, name: string): unknown {
  if (Object(resource) !== resource)
    refuseValue('unknownField.resource', 'an object', resource, 'Pass the object that has the field.');
  return Object.hasOwn(resource, name) ? Reflect.get(resource, name) : undefined;
}

/** `object` and `livemode`, which every resource has. */
export interface ResourceBase<Name extends string> {
  /** The type's name (*shown*). */
  readonly object: Name;
  /** True if it is live, false if it is of the test environment (*shown*). */
  readonly livemode: boolean;
}

/** The fields of {@link ResourceBase}. */
export function baseFields<Name extends string>(object: Name) {
  return { object: s.literal(object), livemode: s.boolean() };
}

/** Metadata as the service sends it. */
export const metadata = () => s.record(s.string());

/** Metadata as a caller gives it. */
export const metadataParam = () => s.optional(metadata());

/** An amount that a caller gives, in the service's integer unit. */
export const amountParam = (min: number) =>
  s
    .integer('an integer in minor units, such as 1250 for 12.50')
    .check(s.minimum(min, `an integer of at least ${min}, in minor units`));

/** How many, as a caller gives it. */
export const quantityParam = () => s.integer().check(s.minimum(1, 'an integer of at least 1'));

const currencyMessage = "a 3-letter currency code such as 'usd'";

/** A currency that a caller gives, in either case. */
export const currencyParam = () => s.string(currencyMessage).check(s.regex(/^[A-Za-z]{3}$/, currencyMessage));
