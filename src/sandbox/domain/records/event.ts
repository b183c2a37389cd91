import type { CatalogEventType } from '../../../webhooks/events/catalog.ts';

/** An event, as the service sends it. */
export interface SandboxEvent {
  /** Its id, `evt_…`. */
  readonly id: `evt_${string}`;
  /** The event's type. */
  readonly type: CatalogEventType | (string & {});
  /** The API version, a date. */
  readonly api_version: string;
  /** The time of the sandbox's clock, ISO 8601 in UTC. */
  readonly created: string;
  /** Always false in the sandbox. */
  readonly livemode: false;
  /** The payload. */
  readonly data: {
    /** The object in its new state. */
    readonly object: object;
  };
  /** The follow-up actions that the catalog names for the event. */
  readonly operations: readonly string[];
  /** Whether it is sent without its envelope, as a chargeback may be. This field is not sent. */
  readonly bare?: true;
}
