import type { CatalogEventType } from '../../../webhooks/events/catalog.ts';

/** What an event is about. */
export interface SandboxEventData {
  /** The object in its new state. */
  readonly object: object;
}

/** An event, as the service sends it. */
export interface SandboxEvent {
  /** Its id, `evt_…`. */
  readonly id: `evt_${string}`;
  /** What happened. */
  readonly type: CatalogEventType | (string & {});
  /** The version of the API, in the form of a date. */
  readonly api_version: string;
  /** When it happened, ISO 8601 in UTC, by the sandbox's clock. */
  readonly created: string;
  /** Always false here. */
  readonly livemode: false;
  /** What it is about. */
  readonly data: SandboxEventData;
  /** The follow-up actions that the catalog names for it. */
  readonly operations: readonly string[];
  /** Whether it is sent without its envelope, as a chargeback may be. Not sent itself. */
  readonly bare?: true;
}
