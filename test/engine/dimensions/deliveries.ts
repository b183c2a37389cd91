import fc from 'fast-check';
import { eventOf } from '../../support/deliveries.ts';
import { type Fault, rarely } from './fault.ts';
import { operationIds } from './orders.ts';
import { deliveryFaults, type Rival, rivals } from './processes.ts';

/** The merchant's ways of handling events: under a lease, with `completeIn`, or in a transaction. */
export const modes = ['leased', 'completeIn', 'transaction'] as const;

export type Mode = (typeof modes)[number];

/** The merchant's endpoints, each with a secret. */
export const endpointSecrets = {
  platform: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  connected: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
};

export const forgersSecret = 'whsec_Zm9yZ2VkIGZvcmdlZCBmb3JnZWQgZm9yZ2Vk';

/**
 * - `good`: valid;
 * - `drifted`: differs from the interface;
 * - `ignored`: of a type without a handler;
 * - `noEvent`: authentic, and not an event;
 * - `otherMode`: authentic, and of the other livemode;
 * - `forged`: signed with another secret.
 */
export const eventKinds = ['good', 'drifted', 'ignored', 'noEvent', 'otherMode', 'forged'] as const;

type EventKind = (typeof eventKinds)[number];

/** An event of the service, and what happens to its deliveries. */
export interface EventPlan {
  readonly what: 'event';
  readonly id: number;
  readonly kind: EventKind;
  readonly mode: Mode;
  readonly scope: keyof typeof endpointSecrets;
  /** Which form an event that differs from the interface has. */
  readonly form: number;
  /** Whether its handler charges somebody. */
  readonly movesMoney: boolean;
  readonly begins: number;
  readonly double: Rival | undefined;
  readonly faults: readonly Fault[];
}

/** Events doubled, late, unknown, of the other mode, or forged. */
export const events: fc.Arbitrary<EventPlan> = fc.record({
  what: fc.constant('event'),
  id: operationIds,
  kind: rarely<EventKind, EventKind>(2, 'good', fc.constantFrom(...eventKinds)),
  mode: fc.constantFrom<Mode>('leased', 'leased', ...modes),
  scope: fc.constantFrom('platform', 'connected'),
  form: fc.nat(3),
  movesMoney: rarely(3, false, fc.constant(true)),
  begins: fc.nat(1000),
  double: rivals(1_000_000, deliveryFaults, 1),
  faults: deliveryFaults,
});

/** Whether it must reach its handler in the end. */
export const isReadable = ({ kind }: Pick<EventPlan, 'kind'>) => kind === 'good' || kind === 'drifted';

/** Whether it must reach `onUnreadable` in the end. */
export const isUnreadable = ({ kind }: Pick<EventPlan, 'kind'>) => kind === 'noEvent' || kind === 'otherMode';

/** Returns the body of an event with an id. */
export function bodyOf({ kind, form }: Pick<EventPlan, 'kind' | 'form'>, id: string): string {
  if (kind === 'noEvent') return form < 2 ? `maintenance ${id}` : JSON.stringify({ note: id });
  const drifts = [
    { data: { object: {} } },
    { data: { object: { id: 7, amount: 'twelve' } } },
    { data: undefined },
    { created: 7, operations: undefined },
  ];
  const changes = {
    good: {},
    forged: {},
    otherMode: { livemode: true },
    ignored: { type: 'account.updated' },
    drifted: drifts[form],
  }[kind];
  return JSON.stringify({ ...eventOf('refund.failed', { id }), ...changes });
}
