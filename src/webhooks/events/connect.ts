import type { Inline } from '../../base/runtime/runtime.ts';
import * as s from '../../base/schema/schema.ts';

/** The Connect types whose names are *inferred*: the interface says that such events exist, and does not name them. */
export const unnamedConnectTypes: readonly ConnectEventType[] = [
  // An account changed, for example at the end of the review of its application.
  'account.updated',
];

/**
 * The Connect lifecycle event types, of catalog version 4 (*shown*; *inferred*: those of `unnamedConnectTypes`). Others, such as
 * those of a visit, arrive as an `UnknownEvent`. They require a Connect lifecycle release: confirm that the release and your
 * Platform Program are enabled before you subscribe (*shown*).
 */
export const connectEventTypes = [
  // A new account. Selecting an existing account sends no event.
  'account.created',
  // A new connection.
  'connection.created',
  // A connection was reactivated after a suspension.
  'connection.activated',
  // Not named by the interface.
  'account.updated',
] as const;

/** A type of a Connect lifecycle event. */
export type ConnectEventType = (typeof connectEventTypes)[number];

/**
 * The object of a Connect lifecycle event: a snapshot of a platform object. The interface names few of its fields; all
 * others are kept. It never contains onboarding answers, owner identity, bank information, documents or browser credentials
 * (*shown*). An event sent before the merchant's consent does not reveal the merchant (*shown*).
 */
export type ConnectObject = Inline<{
  /** The object's id (*inferred*: the interface shows no fields of this object's kind). */
  readonly id: string;
  /** The type's name (*shown* for every resource); absent where the service leaves it out. */
  readonly object?: string | undefined;
  /** True if it is live (*shown* for every resource); absent where the service leaves it out. */
  readonly livemode?: boolean | undefined;
  /** Orders the snapshots of one sequence: the highest is the newest (*shown*); absent where the service leaves it out. */
  readonly version?: number | undefined;
  /** The sequence that `version` belongs to (*shown*; its place here is *inferred*); any other string is accepted too. */
  readonly version_scope?:
    | 'account'
    | 'connection'
    | 'account_link'
    | `application:${string}`
    | (string & {})
    | undefined;
  /**
   * Whether the merchant can take payments (*shown*; the interface does not say on which object). It can stay false after
   * the merchant has completed a visit, while the application is under review.
   */
  readonly payments_enabled?: boolean | null | undefined;
  /**
   * Your own reference (*shown*; the interface does not say on which object). It may repeat, so find your customer by the id
   * of the account link that your server saved.
   */
  readonly external_reference?: string | null | undefined;
}>;

export const connectObjectSchema = /* @__PURE__ */ s.lazily(() =>
  s.object({
    id: s.string(),
    object: s.optional(s.string()),
    livemode: s.optional(s.boolean()),
    version: s.optional(s.integer()),
    version_scope: s.optional(s.string()),
    payments_enabled: s.optional(s.nullable(s.boolean())),
    external_reference: s.optional(s.nullable(s.string())),
  }),
);

/** Returns whether a type is a Connect lifecycle event that this version knows. */
export function isConnectType(type: string): type is ConnectEventType {
  return connectEventTypes.some((known) => known === type);
}
