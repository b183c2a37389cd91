import { hour } from '../../base/time.ts';
import type { PlannedDelivery, SandboxDelivery } from '../domain/records/delivery.ts';
import type { PendingDeliveryFault } from '../domain/records/delivery-fault.ts';

/** What every disturbance has. */
interface Aim {
  /** How many deliveries it strikes. Default: 1. */
  readonly times?: number | undefined;
  /** Which types of events it strikes. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** The id of the endpoint whose deliveries it strikes. Default: any. */
  readonly endpoint?: string | undefined;
}

/** The event is delivered twice. */
export interface DuplicateDisturbance extends Aim {
  /** What happens. */
  readonly kind: 'duplicate';
}

/** The delivery is overtaken by the next one to its endpoint; where none follows within an hour, it is sent then. */
export interface ReorderDisturbance extends Aim {
  /** What happens. */
  readonly kind: 'reorder';
}

/** The delivery comes later. */
export interface DelayDisturbance extends Aim {
  /** What happens. */
  readonly kind: 'delay';
  /** By how much: milliseconds, or a text such as `'1 hour'`. */
  readonly by: number | string;
}

/** The first attempt is signed with a secret that is not the endpoint's. */
export interface WrongSecretDisturbance extends Aim {
  /** What happens. */
  readonly kind: 'wrong_secret';
}

/** The body of the first attempt is changed after it was signed: it claims to be live. */
export interface AlteredBodyDisturbance extends Aim {
  /** What happens. */
  readonly kind: 'altered_body';
}

/** The delivery never arrives, and is not repeated. */
export interface LoseDisturbance extends Aim {
  /** What happens. */
  readonly kind: 'lose';
}

/** Something that goes wrong between the service and the merchant. */
export type Disturbance =
  | DuplicateDisturbance
  | ReorderDisturbance
  | DelayDisturbance
  | WrongSecretDisturbance
  | AlteredBodyDisturbance
  | LoseDisturbance;

const kinds: readonly string[] = [
  'duplicate',
  'reorder',
  'delay',
  'wrong_secret',
  'altered_body',
  'lose',
] satisfies readonly Disturbance['kind'][];

/** Whether there is a disturbance of that name. */
export function isDisturbance(kind: string): boolean {
  return kinds.includes(kind);
}

/** The names of all disturbances, for messages. */
export const disturbanceNames: string = kinds.join(', ');

/** How long an overtaken delivery waits for the one that overtakes it, in milliseconds. */
const patience = hour;

/** Whether a disturbance strikes a delivery. */
export function strikes({ left, types, endpoint }: PendingDeliveryFault, delivery: SandboxDelivery): boolean {
  if (left === 0) return false;
  if (endpoint !== null && endpoint !== delivery.endpointId) return false;
  return types === null || types.includes(delivery.type);
}

/** What a disturbance makes of a delivery. A duplicate is made by the one who plans. */
export function disturbed(delivery: PlannedDelivery, { kind, delay }: PendingDeliveryFault): SandboxDelivery {
  const { dueAt } = delivery;
  switch (kind) {
    case 'duplicate':
      return delivery;
    case 'reorder':
      return { ...delivery, held: true, dueAt: dueAt + patience };
    case 'delay':
      return { ...delivery, dueAt: dueAt + delay };
    case 'lose':
      return { ...delivery, status: 'lost', dueAt: null };
    case 'wrong_secret':
    case 'altered_body':
      return { ...delivery, tampering: kind };
  }
}
