/** The deliveries of the service, drawn from a seed. */

import { eventOf } from '../../support/deliveries.ts';
import { type Draw, drawsFrom, pick } from '../../support/draws.ts';

/** The merchant's ways of handling events. Each is a receiver in every process, with the mode as its consumer. */
export type Mode = 'leased' | 'completeIn' | 'transaction';

/** Redis and a file have no transactions with the merchant's table. */
export const modesWithoutTransactions: readonly Mode[] = ['leased'];
export const modesOfPostgres: readonly Mode[] = ['leased', 'completeIn', 'transaction'];

/** The merchant's endpoints, each with a secret. Their events may share ids. */
export const secrets = {
  platform: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  connected: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
};

type Scope = keyof typeof secrets;

/**
 * - `good`: valid;
 * - `drifted`: differs from the interface;
 * - `ignored`: of a type without a handler;
 * - `noEvent`: authentic, and not an event;
 * - `otherMode`: authentic, and of the other livemode;
 * - `forged`: signed with another secret.
 */
type Kind = 'good' | 'drifted' | 'ignored' | 'noEvent' | 'otherMode' | 'forged';

/**
 * How its handler fails, once in some processes: before or after the effect. The id contains it, so that a handler can
 * read it.
 */
type HandlerFailure = 'none' | 'before' | 'after';

/** An event, and how to send it. */
export interface PlannedEvent {
  /** Identifies it in effects and reports: mode, scope and id. */
  readonly name: string;
  readonly mode: Mode;
  readonly scope: Scope;
  readonly kind: Kind;
  readonly body: string;
  /** How often it is sent at first. At the end, each is sent once more. */
  readonly copies: number;
}

/** The name of an event. */
export const nameOf = (mode: Mode, scope: string | undefined, id: string) => `${mode}/${scope}/${id}`;

/** The handler failure that an id contains. */
export const failureIn = (id: string) => id.split('_').at(-1);

/** Whether it must have an effect in the end. */
export const isReadable = ({ kind }: PlannedEvent) => kind === 'good' || kind === 'drifted';
/** Whether it must be kept in the end. */
export const isUnreadable = ({ kind }: PlannedEvent) => kind === 'noEvent' || kind === 'otherMode';

const kinds: readonly Kind[] = [
  ...Array.from({ length: 15 }, () => 'good' as const),
  'drifted',
  'drifted',
  'noEvent',
  'otherMode',
  'forged',
];

const rareKinds: readonly Kind[] = ['ignored', 'drifted'];

function bodyOf(draw: Draw, id: string, kind: Kind): string {
  const event = eventOf('refund.failed', { id });
  if (kind === 'noEvent') return pick(draw, [`maintenance ${id}`, JSON.stringify({ note: id })]);
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
    drifted: pick(draw, drifts),
  }[kind];
  return JSON.stringify({ ...event, ...changes });
}

function planEvent(draw: Draw, number: number, allModes: readonly Mode[]): readonly PlannedEvent[] {
  const mode = pick(draw, allModes);
  const kind = draw(20) === 0 ? pick(draw, rareKinds) : pick(draw, kinds);
  const failure = pick<HandlerFailure>(draw, [
    ...Array.from({ length: 20 }, () => 'none' as const),
    'before',
    'before',
    'after',
  ]);
  const id = `evt_${number}_${failure}`;
  const body = bodyOf(draw, id, kind);
  const scopes: readonly Scope[] =
    kind === 'good' && draw(10) === 0 ? ['platform', 'connected'] : [pick(draw, ['platform', 'connected'])];
  return scopes.map((scope) => {
    return { name: nameOf(mode, scope, id), mode, scope, kind, body, copies: 1 + draw(3) };
  });
}

/** Returns events for a number of deliveries. */
export function planEvents(
  seed: number,
  deliveries: number,
  allModes: readonly Mode[],
): readonly PlannedEvent[] {
  const draw = drawsFrom(seed);
  const events: PlannedEvent[] = [];
  for (let number = 0, planned = 0; planned < deliveries; number += 1) {
    for (const event of planEvent(draw, number, allModes)) {
      events.push(event);
      planned += event.copies + 1;
    }
  }
  return events;
}
