import type { Id } from '../../resources/ids.ts';
import type { UnlistedValue } from '../../resources/open-values.ts';
import type { Resource } from '../../resources/resource-types.ts';
import type { CatalogEventType, eventCatalog } from './catalog.ts';
import type { Chargeback } from './chargeback.ts';
import type { ConnectEventType, ConnectObject } from './connect.ts';

/** What an event is about. */
export interface EventData<Content> {
  /** The resource in its new state (*shown*). */
  readonly object: Content;
}

/** What every event has, in whatever form it came. */
interface EventCore<Type extends string, Content, Operation extends string> {
  /** What happened (*shown*). */
  readonly type: Type;
  /** When it happened, ISO 8601 in UTC (*shown*); `eventDate` makes a `Date` of it. */
  readonly created: string;
  /** What it is about (*shown*). */
  readonly data: EventData<Content>;
  /** The follow-up actions that make sense now (*shown*); may be empty, and others than the known may come. */
  readonly operations: readonly (Operation | (string & {}))[];
}

/** The envelope of every delivery. Fields that this version does not know are kept. */
export interface EventEnvelope<Type extends string, Content, Operation extends string = never>
  extends EventCore<Type, Content, Operation> {
  /** The event's id, `evt_…` (*shown*): the same in every delivery of one event. */
  readonly id: Id<'event'>;
  /** The version of the API, in the form of a date (*shown*). */
  readonly api_version: string;
  /** Whether it is about live money, or about a test (*shown*). */
  readonly livemode: boolean;
}

/** An event of the catalog, by its type. */
export interface CatalogEvent<Type extends CatalogEventType>
  extends EventEnvelope<
    Type,
    Resource<(typeof eventCatalog)[Type]['object']>,
    (typeof eventCatalog)[Type]['operations'][number]
  > {}

/**
 * A Connect lifecycle event. Put it in order with `advanceSnapshot`. Subscribe to the platform's scope and to that of connected accounts
 * separately, each with its own secret (*shown*): `new Webhooks({ secrets: { platform, connected } })`. An account event that comes from
 * an application goes only to the originating platform, with its exact active connection (*shown*).
 */
export interface ConnectEvent<Type extends ConnectEventType> extends EventEnvelope<Type, ConnectObject> {}

/**
 * The notification that a chargeback came in. Whether the service sends it in the envelope is not shown, so that a
 * bare one is accepted too: it has the envelope's `id` made from its own, and neither mode nor version (*inferred*).
 */
export interface ChargebackEvent extends EventCore<'chargeback.received', Chargeback, never> {
  /** The event's id; for a bare notification `chargeback.received:` and the chargeback's id (*inferred*). */
  readonly id: string;
  /** The version of the API; absent in a bare notification (*inferred*). */
  readonly api_version?: string | undefined;
  /** Whether it is about live money; absent in a bare notification, which does not tell, and passes in both modes (*inferred*). */
  readonly livemode?: boolean | undefined;
}

/** An event of a type that this version does not know: a newer one, or one that the interface does not show. */
export interface UnknownEvent {
  /** The event's id. */
  readonly id: string;
  /** What happened. */
  readonly type: UnlistedValue;
  /** The version of the API; absent where the service leaves it out. */
  readonly api_version?: string | undefined;
  /** When it happened, ISO 8601 in UTC; absent where the service leaves it out. */
  readonly created?: string | undefined;
  /** Whether it is about live money; absent where the service leaves it out. */
  readonly livemode?: boolean | undefined;
  /** What it is about, as it came. */
  readonly data: EventData<unknown>;
  /** The follow-up actions that make sense now; empty where the service leaves them out. */
  readonly operations: readonly string[];
}

type CatalogEvents = { readonly [Type in CatalogEventType]: CatalogEvent<Type> };
type ConnectEvents = { readonly [Type in ConnectEventType]: ConnectEvent<Type> };

interface OtherEvents {
  /** A chargeback came in. */
  readonly 'chargeback.received': ChargebackEvent;
}

/** Every known event by its type, for example `WebhookEventMap['refund.failed']`. */
export type WebhookEventMap = CatalogEvents & ConnectEvents & OtherEvents;

/** The types of events that this version knows. */
export type WebhookEventType = keyof WebhookEventMap;

/** An event of a known type. */
export type KnownWebhookEvent = WebhookEventMap[WebhookEventType];

/**
 * An event. `switch (event.type)` narrows it; what is left after the known types is an `UnknownEvent`.
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

/**
 * When an event happened.
 *
 * @throws RangeError for a text that is no time.
 */
export function eventDate({ created }: { readonly created: string }): Date {
  const date = new Date(created);
  if (!Number.isNaN(date.getTime())) return date;
  throw new RangeError(
    "event.created: expected an ISO 8601 time such as '2026-12-31T23:59:59Z', got another text.",
  );
}
