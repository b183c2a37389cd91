import type { Issue } from '../../base/errors.ts';
import * as s from '../../base/schema/schema.ts';

/** The prefix of each kind of id (*shown*). */
export const idPrefixes = {
  checkout_session: 'cs_',
  checkout_line_item: 'li_',
  payment_intent: 'pi_',
  charge: 'ch_',
  refund: 'rf_',
  invoice: 'inv_',
  invoice_line: 'il_',
  subscription: 'sub_',
  subscription_item: 'si_',
  price: 'price_',
  credit_note: 'cn_',
  credit_note_line: 'cnl_',
  customer: 'cus_',
  payment_method: 'pm_',
  merchant: 'mer_',
  terminal_batch: 'tmb_',
  terminal: 'tmr_',
  settlement_profile: 'stlp_',
  event: 'evt_',
} as const;

/** The kinds of objects whose ids have a documented prefix. */
export type IdKind = keyof typeof idPrefixes;

/**
 * A mark that no id carries at run time: it lets the compiler tell ids of different kinds apart, and strings pass. Neither a
 * symbol nor an interface, which the declarations of another package could not name.
 */
type OfKind<Kind extends IdKind> = { readonly '~kind'?: Kind | undefined };

/** An id of one kind, for example `Id<'refund'>`, which is `rf_${string}`. */
export type Id<Kind extends IdKind> = `${(typeof idPrefixes)[Kind]}${string}` & OfKind<Kind>;

/**
 * An id that you pass. Any string compiles, such as one from your database. An id that came from the SDK must be of this
 * kind: `charge.id` does not compile where the id of a payment intent is expected.
 */
export type IdInput<Kind extends IdKind> = string & OfKind<Kind>;

/** An id in a response. */
export function id<Kind extends IdKind>(kind: Kind): s.Schema<Id<Kind>> {
  // The mark of an id's kind is one for the compiler alone.
  return s.prefixed(idPrefixes[kind], `an id that starts with '${idPrefixes[kind]}'`) as s.Schema<Id<Kind>>;
}

const kindByPrefix = /* @__PURE__ */ (() =>
  new Map<string, string>(
    Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind.replaceAll('_', ' ')]),
  ))();

/** Returns the kind that an id's prefix names, in words; `undefined` for a prefix that is not documented. */
function kindOf(text: string): string | undefined {
  return kindByPrefix.get(text.slice(0, text.indexOf('_') + 1));
}

/** What an id of another kind is reported as. */
function asOther(kind: IdKind, id: string): Omit<Issue, 'path'> {
  const words = kind.replaceAll('_', ' ');
  return {
    expected: `the id of a ${words} ('${idPrefixes[kind]}…')`,
    received: `the id of a ${kindOf(id)}`,
  };
}

/** Returns what the ids of a kind look like: an undocumented prefix passes, since the service may know more kinds than its interface shows. */
function formOf(kind: IdKind): RegExp {
  const others = Object.values(idPrefixes).filter((prefix) => prefix !== idPrefixes[kind]);
  return new RegExp(`^(?!${others.join('|')})`);
}

/** An id of an object of one kind, as a caller gives it. One with the prefix of another kind is wrong. */
export function idParam(kind: IdKind) {
  return s.filled().check(s.form(formOf(kind), (id) => asOther(kind, id)));
}

/** Returns the issue of an id with the prefix of another kind. */
export function idIssues(path: string, value: unknown, kind: IdKind): readonly Issue[] {
  if (typeof value !== 'string' || value.startsWith(idPrefixes[kind]) || kindOf(value) === undefined)
    return [];
  return [{ path, ...asOther(kind, value) }];
}
