import { moneyText } from '../domain/money-text.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { Facts, KnownObject } from './facts.ts';
import { moneyOfObject } from './facts.ts';
import type { SentRequest } from './sent-requests.ts';
import type { StoryAction } from './story.ts';

function amountOf(object: KnownObject): string {
  const money = moneyOfObject(object);
  return money === null ? '' : ` ${moneyText(money.amount, money.currency)}`;
}

function repetition({ attempts, isExecuted }: SentRequest): readonly StoryAction[] {
  const whole = attempts.find(({ isWhole, idempotencyKey }) => isWhole && idempotencyKey !== null);
  if (whole === undefined) return [];
  const expected = isExecuted
    ? 'The service replays its first reply and charges nothing.'
    : 'The service has not executed a request with this key yet, so it executes this one.';
  const label = `Repeat ${whole.operation ?? whole.path} with the same key`;
  return [{ name: 'repeat', label, expected, target: String(whole.number) }];
}

type Offer = (object: KnownObject) => readonly StoryAction[];

function offer(name: StoryAction['name'], label: (object: KnownObject) => string, expected: string): Offer {
  return (object) => [{ name, label: label(object), expected, target: object.id }];
}

const pay = offer('pay', (object) => `Pay${amountOf(object)}`, 'The buyer pays, and the amount is charged.');
const cancel = offer('cancel', () => 'Cancel', 'The payment is canceled. Nothing is charged.');
const capture = offer(
  'capture',
  (object) => `Capture${amountOf(object)}`,
  'The authorized amount is charged.',
);
const expire = offer('expire', () => 'Expire', 'The session expires, and the buyer can no longer pay.');
const retry = offer(
  'retry refund',
  (object) => `Retry the refund of${amountOf(object)}`,
  'The service retries the refund. It is pending for a minute.',
);

function refund(object: KnownObject): readonly StoryAction[] {
  const { amount, amount_refunded, currency } = object.fields;
  const left = Number(amount) - Number(amount_refunded ?? 0);
  if (!(left > 0)) return [];
  const text = moneyText(left, String(currency));
  return [
    {
      name: 'refund',
      label: `Refund ${text}`,
      expected: `${text} goes back to the buyer. The refund is pending for a minute.`,
      target: object.id,
    },
  ];
}

/** The possible actions by kind and state. */
const offers: Readonly<Record<string, readonly Offer[]>> = {
  'checkout_session open': [pay, expire],
  'payment_intent requires_payment_method': [pay, cancel],
  'payment_intent requires_capture': [capture, cancel],
  'charge succeeded': [refund],
  'refund failed': [retry],
  'invoice open': [pay],
};

/** Whether an intent is paid through its session or invoice. */
function isPaidElsewhere({ kind, id }: KnownObject, objects: readonly KnownObject[]): boolean {
  if (kind !== 'payment_intent') return false;
  return objects.some(
    ({ kind: other, fields }) => other === 'subscription' || fields['payment_intent_id'] === id,
  );
}

function redeliveries(deliveries: readonly SandboxDelivery[]): readonly StoryAction[] {
  const latest = new Map(
    deliveries.map((delivery) => [`${delivery.eventId} ${delivery.endpointId}`, delivery]),
  );
  return [...latest.values()]
    .filter(({ status }) => status === 'failed' || status === 'dropped')
    .map(({ id, type, url }) => ({
      name: 'redeliver',
      label: `Redeliver ${type}`,
      expected: `The event is sent to ${url} again, now.`,
      target: id,
    }));
}

/** Returns the actions that are possible on an order now. */
export function actionsOf(
  { facts: { objects }, sent }: { readonly facts: Facts; readonly sent: readonly SentRequest[] },
  deliveries: readonly SandboxDelivery[],
): readonly StoryAction[] {
  const ofObjects = objects
    .filter((object) => !object.isRemoved && !isPaidElsewhere(object, objects))
    .flatMap((object) =>
      (offers[`${object.kind} ${String(object.fields['status'])}`] ?? []).flatMap((one) => one(object)),
    );
  return [...sent.flatMap(repetition), ...ofObjects, ...redeliveries(deliveries)];
}
