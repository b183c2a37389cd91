import * as s from '../../base/schema.ts';

/**
 * The types of Connect lifecycle events that the interface names (*shown*); others arrive as an `UnknownEvent`. They come from a Connect
 * lifecycle release: confirm that the release and your Platform Program are enabled before you subscribe (*shown*).
 */
export const connectEventTypes = [
  // A new account. A merchant who selects an existing one causes no such event.
  'account.created',
  // A new connection.
  'connection.created',
  // A connection was reactivated after a suspension; its first activation is no such event.
  'connection.activated',
] as const;

/** The types of Connect lifecycle events that the interface names. */
export type ConnectEventType = (typeof connectEventTypes)[number];

/** Which sequence of versions a snapshot belongs to (*shown*); any other string passes too. */
export type VersionScope =
  | 'account'
  | 'connection'
  | 'account_link'
  | `application:${string}`
  | (string & {});

/**
 * What a Connect lifecycle event carries: a snapshot of an object of the platform. The interface names few of its fields; all others are
 * kept. It never holds onboarding answers, owner identity, bank information, documents or browser credentials (*shown*), and an event of
 * a visit before the merchant's consent does not reveal the merchant (*shown*).
 */
export interface ConnectObject {
  /** The object's id (*inferred*, as every resource has one). */
  readonly id: string;
  /** The kind of the object (*inferred*); absent where the service leaves it out. */
  readonly object?: string | undefined;
  /** Grows with each change within one sequence (*shown*); absent where the service leaves it out. */
  readonly version?: number | undefined;
  /** The sequence that `version` counts in (*shown*; that it stands here is *inferred*). */
  readonly version_scope?: VersionScope | undefined;
  /**
   * Whether the merchant can take payments (*shown*; on which object is not). It can stay false after a completed visit, while the
   * application is under review: a visit says that the merchant's actions are finished, and no more.
   */
  readonly payments_enabled?: boolean | null | undefined;
  /**
   * Your own reference (*shown*; on which object is not). It may repeat: map your customer by the id of the account link that your server
   * saved.
   */
  readonly external_reference?: string | null | undefined;
}

export const connectObjectSchema = s.object({
  id: s.string(),
  object: s.optional(s.string()),
  version: s.optional(s.integer()),
  version_scope: s.optional(s.string()),
  payments_enabled: s.optional(s.nullable(s.boolean())),
  external_reference: s.optional(s.nullable(s.string())),
});

/** Whether a type is a Connect lifecycle event that the interface names. */
export function isConnectType(type: string): type is ConnectEventType {
  return connectEventTypes.some((known) => known === type);
}
