import type { WebhookEventType } from '../../webhooks/events/event.ts';
import type { SandboxClock } from '../clock.ts';
import type { SandboxEvent } from '../events/event.ts';
import type { Fault } from '../faults.ts';
import type { SeedCounts, SeedOptions, SeedProgress } from '../seed/options.ts';
import type { SandboxDelivery } from '../webhooks/delivery.ts';
import type { ActivityListener } from './activity.ts';

/** What the control API needs of a sandbox. */
export interface Controlled {
  /** The keys that let in: the secret key, and that of the dashboard. */
  readonly keys: readonly string[];
  /** The time. */
  readonly clock: SandboxClock;
  /** The events so far, newest last. */
  events(): readonly SandboxEvent[];
  /** The deliveries so far, newest last. */
  deliveries(): readonly SandboxDelivery[];
  /** How many objects of each kind there are. */
  counts(): Readonly<Record<string, number>>;
  /** Makes an event happen. */
  trigger(type: WebhookEventType, overrides: Readonly<Record<string, unknown>>): unknown;
  /** Delivers an event again. */
  replay(id: string): unknown;
  /** Makes sample data step by step. */
  seed(options: SeedOptions): Generator<SeedProgress, SeedCounts>;
  /** Makes something go wrong. */
  inject(fault: Fault): void;
  /** Forgets what was to go wrong. */
  clearFaults(): void;
  /** Tells of what is done from now on. Returns what ends it. */
  watch(listener: ActivityListener): () => void;
}
