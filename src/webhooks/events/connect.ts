import * as s from '../../base/schema.ts';
import type { Open } from '../../resources/common.ts';

/** The types of Connect lifecycle events that the interface names (*shown*); others arrive as an `UnknownEvent`. */
export const connectEventTypes = ['account.created', 'connection.created', 'connection.activated'] as const;

/** The types of Connect lifecycle events that the interface names. */
export type ConnectEventType = (typeof connectEventTypes)[number];

/** Which sequence of versions a snapshot belongs to. */
export type VersionScope = Open<'account' | 'connection' | 'account_link' | `application:${string}`>;

/**
 * What a Connect lifecycle event carries: a snapshot of an object of the platform. The interface names `version` and
 * `version_scope` and no other field; all others are kept.
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
}

export const connectObjectSchema = s.object({
  id: s.string(),
  object: s.optional(s.string()),
  version: s.optional(s.integer()),
  version_scope: s.optional(s.string()),
});

/** Whether a type is a Connect lifecycle event that the interface names. */
export function isConnectType(type: string): type is ConnectEventType {
  return connectEventTypes.some((known) => known === type);
}
