import type { Issue } from '../../base/errors.ts';
import type { UnlistedValue } from '../../base/schema/schema.ts';
import type { Id } from '../../resources/fields/ids.ts';
import type { Present } from '../../resources/fields/present-when.ts';
import type { Resource } from '../../resources/resource-types.ts';
import type { CatalogEntry, CatalogEventType, eventCatalog } from './catalog.ts';
import type { Chargeback } from './chargeback.ts';
import type { ConnectEventType, ConnectObject } from './connect.ts';

/** The fields that every event has. */
type EventCore<Type extends string, Content, Operation extends string> = {
  /** The event type (*shown*). */
  readonly type: Type;
  /** When the event was created, ISO 8601 in UTC (*shown*). */
  readonly created: string;
  /** The resource that changed (*shown*). */
  readonly data: {
    /** The resource in its new state (*shown*). */
    readonly object: Content;
  };
  /** The follow-up actions available now (*shown*). May be empty, and may contain unknown values. */
  readonly operations: readonly (Operation | (string & {}))[];
};

/** The envelope of every delivery. Unknown fields are kept. */
type EventEnvelope<Type extends string, Content, Operation extends string> = EventCore<
  Type,
  Content,
  Operation
> & {
  /** The event's id, `evt_…` (*shown*). It is the same in every delivery of one event. */
  readonly id: Id<'event'>;
  /** The API version, a date (*shown*). */
  readonly api_version: string;
  /** True for a live event, false for a test event (*shown*). */
  readonly livemode: boolean;
};

/**
 * A chargeback notification. The interface does not show whether it has the event envelope, so a bare notification is
 * accepted too. Its `id` is built from its own fields, and it has no mode or version (*inferred*).
 */
type ChargebackEvent = EventCore<'chargeback.received', Chargeback, never> & {
  /** The event's id. For a bare notification: `chargeback.received:` and the chargeback's id (*inferred*). */
  readonly id: string;
  /** The API version; absent in a bare notification (*inferred*). */
  readonly api_version?: string | undefined;
  /** True for a live event; absent in a bare notification, which is accepted in both modes (*inferred*). */
  readonly livemode?: boolean | undefined;
};

/** An event of a type that this version does not know: a newer type, or one that the interface does not show. */
export interface UnknownEvent {
  /** The event's id. */
  readonly id: string;
  /** The event type. */
  readonly type: UnlistedValue;
  /** The API version; absent if the service omits it. */
  readonly api_version?: string | undefined;
  /** When the event happened, ISO 8601 in UTC, also if the service sends an integer (*inferred*); absent if it omits it. */
  readonly created?: string | undefined;
  /** True for a live event; absent if the service omits it. */
  readonly livemode?: boolean | undefined;
  /** The event's `data`, as received. */
  readonly data: {
    /** The object that the event is about. */
    readonly object: unknown;
  };
  /** The follow-up actions available now; empty if the service omits them. */
  readonly operations: readonly string[];
}

type Catalog = typeof eventCatalog;

type StateIn<Entry> = Entry extends { readonly state: infer State } ? Readonly<State> : unknown;

type SetIn<Entry, Fields> = Entry extends { readonly set: readonly (infer Name extends keyof Fields)[] }
  ? Present<Fields, Name>
  : unknown;

/** The fields as one object: declarations of a library print it, since it refers to no private name. */
type Flat<Fields> = Fields extends unknown ? { readonly [Name in keyof Fields]: Fields[Name] } : never;

/** The object of an event, in the state that its type implies: a settled refund has its batch (*shown*). */
type EventObject<Entry extends CatalogEntry> = Entry extends { readonly state: unknown }
  ? Flat<Resource<Entry['object']> & StateIn<Entry> & SetIn<Entry, Resource<Entry['object']>>>
  : Resource<Entry['object']>;

/** The events of the catalog, by their types. */
type CatalogEvents = {
  readonly [Type in CatalogEventType]: EventEnvelope<
    Type,
    EventObject<Catalog[Type]>,
    Catalog[Type]['operations'][number]
  >;
};

/**
 * The Connect lifecycle events. Order them with `advanceSnapshot`. Subscribe to the platform scope and to the
 * connected-account scope separately, each with its own secret (*shown*): `new Webhooks({ secrets: { platform,
 * connected } })`. An account event that comes from an application goes only to the originating platform, with its
 * exact active connection (*shown*).
 */
type ConnectEvents = {
  readonly [Type in ConnectEventType]: EventEnvelope<Type, ConnectObject, never>;
};

interface OtherEvents {
  /** A chargeback was received. */
  readonly 'chargeback.received': ChargebackEvent;
}

/** Every known event by its type, for example `WebhookEventMap['refund.failed']`. */
export type WebhookEventMap = CatalogEvents & ConnectEvents & OtherEvents;

/** The event types that this version knows. */
export type WebhookEventType = keyof WebhookEventMap;

/** An event of a known type. */
export type KnownWebhookEvent = WebhookEventMap[WebhookEventType];

/**
 * An event. `switch (event.type)` narrows it; after all known types, an `UnknownEvent` remains.
 *
 * @example
 * switch (event.type) {
 *   case 'refund.failed':
 *     return alert(event.data.object.failure_message);
 *   default:
 *     return; // every other event
 * }
 */
export type WebhookEvent = KnownWebhookEvent | UnknownEvent;

/** An event whose signature was verified. */
export type VerifiedEvent = WebhookEvent & {
  /**
   * The differences between the event and the interface; empty for a valid event and for unknown types. Not enumerable, so
   * JSON and copies of the event do not contain it. It hides a field of this name in the delivery.
   */
  readonly issues: readonly Issue[];
};
