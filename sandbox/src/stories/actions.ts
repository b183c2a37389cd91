import { minorUnitsOf, moneyText } from '../domain/amounts.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import { type Facts, isPaidElsewhere, type KnownObject, moneyOfObject, type SentRequest } from './facts.ts';
import type { Need, StoryAction } from './story.ts';

type Offered = Omit<StoryAction, 'isAdvised'>;

function amountOf(object: KnownObject): string {
  const money = moneyOfObject(object);
  return money === null ? '' : ` ${moneyText(money.amount, money.currency)}`;
}

/** Offers to repeat a request whose result the app does not know. */
function repetition({ attempts, isExecuted, isKnown }: SentRequest): readonly Offered[] {
  const whole = attempts.findLast(({ isWhole, idempotencyKey }) => isWhole && idempotencyKey !== null);
  if (whole === undefined || isKnown) return [];
  const effect = isExecuted
    ? 'The service replays its first reply and charges nothing.'
    : 'The service has not executed a request with this key yet, so it executes this one.';
  const expected = `${effect} The reply comes here: your app knows it only once it repeats the request itself.`;
  const label = `Repeat ${whole.operation ?? whole.path} with the same operation id`;
  return [{ name: 'requests.repeat', args: { number: whole.number }, label, expected }];
}

type Offer = (object: KnownObject) => readonly Offered[];

/** Offers a request of the app. */
function send(label: string, expected: string, args: StoryAction['args']): readonly Offered[] {
  return [{ name: 'requests.send', args, label, expected }];
}

/** Offers a method of the service. */
function offer(operation: string, label: (object: KnownObject) => string, expected: string): Offer {
  return (object) => send(label(object), expected, { operation, id: object.id });
}

const pay: Offer = (object) => [
  {
    name: 'pay',
    args: { id: object.id },
    label: `Pay${amountOf(object)}`,
    expected: 'The buyer pays, and the amount is charged.',
  },
];
const cancel = offer('paymentIntents.cancel', () => 'Cancel', 'The payment is canceled. Nothing is charged.');
const capture = offer(
  'paymentIntents.capture',
  (object) => `Capture${amountOf(object)}`,
  'The authorized amount is charged.',
);
const expire = offer(
  'checkoutSessions.expire',
  () => 'Expire',
  'The session expires, and the buyer can no longer pay.',
);
const cancelSubscription = offer(
  'subscriptions.cancel',
  () => 'Cancel the subscription',
  'The subscription ends, and is not renewed.',
);
const retry = offer(
  'refunds.retry',
  (object) => `Retry the refund of${amountOf(object)}`,
  'The service retries the refund. It is pending for a minute.',
);

function refund(object: KnownObject): readonly Offered[] {
  const { amount, amount_refunded, currency } = object.fields;
  const left = Number(amount) - Number(amount_refunded ?? 0);
  if (!(left > 0)) return [];
  const text = moneyText(left, String(currency));
  return send(`Refund ${text}`, `${text} goes back to the buyer. The refund is pending for a minute.`, {
    operation: 'refunds.create',
    body: { charge_id: object.id },
  });
}

/** Offers to give the money of a form payment back: by a void before settlement, by a refund afterwards. */
function giveBack(object: KnownObject): readonly Offered[] {
  const { type, status, refunded, currency } = object.fields;
  const left = minorUnitsOf(String(object.fields['captured'])) - minorUnitsOf(String(refunded));
  if (left === 0 || (type !== 'sale' && type !== 'auth')) return [];
  const text = moneyText(left, String(currency));
  if (status === 'pending' && minorUnitsOf(String(refunded)) === 0) {
    return send(`Void ${text}`, 'The payment is canceled before it settles.', {
      operation: 'transact.void',
      id: object.id,
    });
  }
  return send(`Refund ${text}`, `${text} goes back to the buyer.`, {
    operation: 'transact.refund',
    id: object.id,
    body: { amount: left },
  });
}

/** The possible actions by kind and state. */
const offers: Readonly<Record<string, readonly Offer[]>> = {
  'checkout_session open': [pay, expire],
  'payment_intent requires_payment_method': [pay, cancel],
  'payment_intent requires_capture': [capture, cancel],
  'charge succeeded': [refund],
  'transaction pending': [giveBack],
  'transaction settled': [giveBack],
  'refund failed': [retry],
  'invoice open': [pay],
  'subscription active': [cancelSubscription],
  'subscription past_due': [cancelSubscription],
};

function redeliveries(deliveries: readonly SandboxDelivery[]): readonly Offered[] {
  const latest = new Map(
    deliveries.map((delivery) => [`${delivery.eventId} ${delivery.endpointId}`, delivery]),
  );
  return [...latest.values()]
    .filter(({ status }) => status === 'failed' || status === 'dropped')
    .map(({ id, type, url }) => ({
      name: 'webhooks.replay',
      args: { id },
      label: `Redeliver ${type}`,
      expected: `The event is sent to ${url} again, now.`,
    }));
}

/** The operations that give money back. */
const refunds: readonly unknown[] = ['refunds.create', 'transact.void', 'transact.refund'];

/** Which operations or commands a need asks for. */
const advised: Readonly<Record<Need['why'], readonly unknown[]>> = {
  dispute_due: [],
  charged_twice: refunds,
  unknown: ['requests.repeat'],
  refund_failed: ['refunds.retry'],
  webhooks_given_up: ['webhooks.replay'],
  renewal_unpaid: ['subscriptions.cancel'],
  declined: [],
};

function isAdvised({ name, args }: Offered, needs: Need | null): boolean {
  const words = needs === null ? [] : advised[needs.why];
  return words.includes(name) || words.includes(args['operation']);
}

/** Whether an action would do what another one is for: a second refund beside a failed one or a dispute, a repetition beside a double charge. */
function isInTheWay({ name, args }: Offered, needs: Need | null): boolean {
  if (needs?.why === 'refund_failed' || needs?.why === 'dispute_due')
    return refunds.includes(args['operation']);
  return needs?.why === 'charged_twice' && name === 'requests.repeat';
}

/** An order with what may be done about it. */
interface Actionable {
  readonly facts: Facts;
  readonly sent: readonly SentRequest[];
  /** Whether its need is met in another order: of two payments for one purchase, the later one is refunded. */
  readonly isKept: boolean;
}

/** Returns the actions that are possible on an order now, what its need asks for first. */
export function actionsOf(
  { facts: { objects }, sent, isKept }: Actionable,
  deliveries: readonly SandboxDelivery[],
  needs: Need | null,
): readonly StoryAction[] {
  const ofObjects = objects
    .filter((object) => !object.isRemoved && !isPaidElsewhere(object, objects))
    .flatMap((object) =>
      (offers[`${object.kind} ${String(object.fields['status'])}`] ?? []).flatMap((one) => one(object)),
    );
  return [...sent.flatMap(repetition), ...ofObjects, ...redeliveries(deliveries)]
    .filter((action) => !isInTheWay(action, needs))
    .map((action) => ({ ...action, isAdvised: !isKept && isAdvised(action, needs) }))
    .toSorted((one, other) => Number(other.isAdvised) - Number(one.isAdvised));
}
