import type { Charge, Id, Issue, Refund, Subscription, UnlistedValue } from 'payments-client';
import { memoryStore, type PostgresClient, postgresStore } from 'payments-client/stores';
import {
  type DeliveryReport,
  type TransactionContext,
  type UnknownEvent,
  type VerifiedEvent,
  type WebhookEvent,
  type WebhookEventMap,
  type WebhookEventType,
  type WebhookStore,
  Webhooks,
} from 'payments-client/webhooks';
import type { PoolClient } from 'pg';
import { expectTypeOf, test } from 'vitest';

const webhooks = new Webhooks({ secret: 'whsec_' });

declare function withPg(run: (client: PoolClient) => Promise<void>): Promise<void>;

/** The types of the catalog, by the prefix of the id of their object. */
interface Catalog {
  cs: `checkout.session.${'created' | 'completed' | 'expired'}`;
  tmb: `terminal_batch.${'closed' | 'reconciled' | 'incomplete' | 'needs_attention'}`;
  ch: 'charge.settled';
  pi: `payment_intent.${'created' | 'requires_action' | 'succeeded' | 'payment_failed' | 'canceled'}`;
  rf: `refund.${'created' | 'succeeded' | 'failed' | 'settled'}`;
  inv: `invoice.${'paid' | 'payment_failed' | 'marked_uncollectible'}`;
  sub: `subscription.${'created' | 'updated' | 'canceled'}`;
  cn: `credit_note.${'created' | 'voided'}`;
  cus: `customer.${'created' | 'updated' | 'deleted' | 'restored'}`;
}
type Connect = `account.${'created' | 'updated'}` | `connection.${'created' | 'activated'}`;

/** The object of an event type. */
type ObjectOf<Type extends WebhookEventType> = WebhookEventMap[Type]['data']['object'];

test('the types are those of the catalog, of Connect, and the chargeback, each with the object of its kind', () => {
  expectTypeOf<WebhookEventType>().toEqualTypeOf<Catalog[keyof Catalog] | Connect | 'chargeback.received'>();
  type Misfit = {
    [Prefix in keyof Catalog]: ObjectOf<Catalog[Prefix]>['id'] extends `${Prefix}_${string}` ? never : Prefix;
  }[keyof Catalog];
  expectTypeOf<Misfit>().toBeNever();
  expectTypeOf<ObjectOf<Connect>>().toExtend<{
    readonly id: string;
    readonly version?: number | undefined;
  }>();
  expectTypeOf<ObjectOf<'chargeback.received'>['amount']>().toBeString();
});

const onUnknown = (event: UnknownEvent): string => event.type;

test('an event of a known type is one of the map, and what is left is unknown', () => {
  type Unknown = Exclude<WebhookEvent, { readonly type: WebhookEventType }>;
  expectTypeOf<Unknown>().toEqualTypeOf<UnknownEvent>();
  type Known = Extract<WebhookEvent, { readonly type: WebhookEventType }>;
  expectTypeOf<Known['type']>().toEqualTypeOf<WebhookEventType>();
});

test('a type that is left out of the switch is found', () => {
  const incomplete = (event: WebhookEvent): string => {
    switch (event.type) {
      case 'refund.failed':
        return event.data.object.id;
      default:
        // @ts-expect-error the other types are not handled
        return onUnknown(event);
    }
  };
  expectTypeOf(incomplete).returns.toBeString();
});

test('an event narrows by its type, by if and by switch', async () => {
  const event = await webhooks.verify('', {});
  expectTypeOf(webhooks.verifySync('', {})).toEqualTypeOf<VerifiedEvent>();
  expectTypeOf(event).toExtend<WebhookEvent>();
  expectTypeOf(event.issues).toEqualTypeOf<readonly Issue[]>();
  if (event.type === 'charge.settled') expectTypeOf(event.data.object).toExtend<Charge>();
  // @ts-expect-error there is no such type; an unknown one is compared as a string
  if (event.type === 'refund.faild') return;
  const type: string = event.type;
  expectTypeOf(type === 'account.updated').toBeBoolean();
});

test('an event type narrows the fields that the interface implies, and no other', () => {
  type Session = ObjectOf<'checkout.session.completed'>;
  type States = [Session['status'], Session['payment_status'], ObjectOf<'invoice.payment_failed'>['status']];
  expectTypeOf<States>().toEqualTypeOf<['complete', 'paid', 'open']>();
  type Deleted = [ObjectOf<'customer.deleted'>['deleted'], ObjectOf<'customer.restored'>['deleted']];
  expectTypeOf<Deleted>().toEqualTypeOf<[true, false]>();
  expectTypeOf<ObjectOf<'payment_intent.payment_failed'>['payment_method']>().toBeNull();

  type Batch = Id<'terminal_batch'>;
  type Settled = ObjectOf<'refund.settled' | 'charge.settled'>;
  expectTypeOf<Settled['settled_at']>().toBeNumber();
  expectTypeOf<Settled['settlement_batch_id']>().toEqualTypeOf<Batch>();
  type Refunded = ObjectOf<'refund.succeeded'>;
  expectTypeOf<Refunded['settled_at']>().toEqualTypeOf<number | null>();
  expectTypeOf<Refunded['settlement_batch_id']>().toEqualTypeOf<Batch | null>();
  type Message = ObjectOf<'refund.failed'>['failure_message'];
  expectTypeOf<Message>().toEqualTypeOf<'already_refunded' | UnlistedValue>();

  type Paid = Pick<ObjectOf<'invoice.paid'>, 'paid_at'> &
    Pick<ObjectOf<'invoice.payment_failed'>, 'next_payment_attempt_at'> &
    Pick<ObjectOf<'subscription.canceled'>, 'canceled_at' | 'ended_at'> &
    Pick<ObjectOf<'credit_note.voided'>, 'voided_at'>;
  expectTypeOf<Paid[keyof Paid]>().toBeNumber();
  type Uncollectible = ObjectOf<'invoice.marked_uncollectible'>['next_payment_attempt_at'];
  expectTypeOf<Uncollectible>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<ObjectOf<'terminal_batch.reconciled'>['reconciled_at']>().toEqualTypeOf<number | null>();

  type Intent = Id<'payment_intent'>;
  expectTypeOf<[Session['payment_intent_id'], ObjectOf<'invoice.paid'>['payment_intent']]>().toEqualTypeOf<
    [Intent, Intent]
  >();
  type Expired = ObjectOf<'checkout.session.expired'>['payment_intent_id'];
  expectTypeOf<Expired>().toEqualTypeOf<Intent | null>();
  expectTypeOf<ObjectOf<'payment_intent.succeeded'>['latest_charge_id']>().toEqualTypeOf<Id<'charge'>>();
  expectTypeOf<ObjectOf<'subscription.updated'>>().toEqualTypeOf<Subscription>();
});

test('an invoice that was paid automatically has its payment method', () => {
  const { data }: WebhookEventMap['invoice.paid'] = JSON.parse('{}');
  expectTypeOf(data.object.collection_payment_method_id).toEqualTypeOf<
    Id<'payment_method'> | null | undefined
  >();
  if (data.object.collection_method === 'charge_automatically')
    expectTypeOf(data.object.collection_payment_method_id).toEqualTypeOf<Id<'payment_method'>>();
});

test('operations are the known ones of the type, and open', () => {
  type Operations = WebhookEventMap['customer.updated']['operations'];
  expectTypeOf<Operations>().toEqualTypeOf<readonly ('update' | 'delete' | (string & {}))[]>();
});

test('handlers are typed by their key', () => {
  webhooks.receiver({
    store: memoryStore(),
    on: {
      'refund.failed': (event, context) => {
        expectTypeOf(event.type).toEqualTypeOf<'refund.failed'>();
        expectTypeOf(event.data.object).toExtend<Refund>();
        expectTypeOf(context.operationId).toBeString();
        expectTypeOf(context.completeIn).parameter(0).toBeNever();
      },
      // @ts-expect-error a type that is none
      'refund.faild': () => undefined,
    },
    onEvent: (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent>(),
  });
});

test('a store with transactions gives its client to completeIn', () => {
  const client = { query: async (_text: string, _values?: unknown[]) => ({ rows: [] }) };
  webhooks.receiver({
    store: postgresStore(client),
    on: { 'refund.failed': (_event, { completeIn }) => completeIn(client) },
  });
  expectTypeOf(memoryStore()).toExtend<WebhookStore>();
});

test('a handler in a transaction gets its connection, and nothing of a lease', () => {
  const client = { query: async (_text: string, _values?: unknown[]) => ({ rows: [] }) };
  const store = postgresStore(client);
  webhooks.receiver({
    store,
    transaction: (run) => run(client),
    on: {
      'refund.failed': (event, context) => {
        expectTypeOf(event.data.object).toExtend<Refund>();
        expectTypeOf(context).toEqualTypeOf<TransactionContext<PostgresClient>>();
      },
    },
    onEvent: (event, context) => {
      expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
      expectTypeOf(context.client).toEqualTypeOf<PostgresClient>();
      // @ts-expect-error there is no lease to extend
      context.extend();
    },
  });
  webhooks.receiver({
    store,
    transaction: (run: (client: PoolClient) => Promise<void>) => withPg(run),
    onEvent: (_event, context) => expectTypeOf(context.client).toEqualTypeOf<PoolClient>(),
  });
  // @ts-expect-error a store without transactions
  webhooks.receiver({
    store: memoryStore(),
    transaction: async () => undefined,
    on: {},
  });
});

test('an event can be dispatched, and a job, not its event', async () => {
  const event: WebhookEvent = await webhooks.verify('{}', {});
  const receiver = webhooks.receiver({ store: memoryStore(), on: {} });
  expectTypeOf(receiver.dispatch(event)).toEqualTypeOf<Promise<'handled' | 'duplicate' | 'kept'>>();
  // @ts-expect-error the event is in the job
  receiver.dispatch({ data: { event } });
});

test('secrets are one or several or looked up, or that of the environment, never both', () => {
  new Webhooks();
  new Webhooks({ livemode: true });
  // @ts-expect-error both
  new Webhooks({ secret: 'a', secrets: ['b'] });
  // A variable of the environment may be missing; that is refused at run time.
  new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] });
  new Webhooks({ secrets: { platform: 'a', connected: ['b', 'c'] } });
  new Webhooks({
    secrets: (headers, url) => {
      expectTypeOf(headers.get).toEqualTypeOf<(name: string) => string | null>();
      expectTypeOf(url).toEqualTypeOf<string | undefined>();
      return undefined;
    },
  });
  new Webhooks({ secrets: async () => 'a' });
  new Webhooks({ secrets: async () => ({ platform: ['a'] }) });
  // @ts-expect-error a number is no secret
  new Webhooks({ secrets: () => 7 });
});

test('a receiver reports deliveries, and hands over what is no event', () => {
  webhooks.receiver({
    store: memoryStore(),
    consumer: 'billing',
    on: {
      'refund.failed': async (_event, { extend, issues }) => {
        expectTypeOf(extend).toEqualTypeOf<(lease?: number) => Promise<void>>();
        expectTypeOf(issues).toEqualTypeOf<readonly Issue[]>();
      },
    },
    onUnreadable: ({ rawBody, headers, issues, scope }) => {
      expectTypeOf(rawBody).toEqualTypeOf<string | Uint8Array>();
      expectTypeOf(headers.get).toEqualTypeOf<(name: string) => string | null>();
      expectTypeOf(issues).toEqualTypeOf<readonly Issue[]>();
      expectTypeOf(scope).toEqualTypeOf<string | undefined>();
    },
    onDelivery: (report) => {
      expectTypeOf(report).toEqualTypeOf<DeliveryReport>();
      expectTypeOf<'handled' | 'duplicate' | 'refused'>().toExtend<typeof report.outcome>();
      expectTypeOf(report.attempt).toEqualTypeOf<number | undefined>();
    },
  });
});

test('a store of your own has five operations', () => {
  const { claim, complete, release, renew, open } = memoryStore();
  expectTypeOf({ claim, renew, complete, release, open }).toExtend<WebhookStore>();
  // @ts-expect-error a handler could not extend its lease
  webhooks.receiver({ store: { claim, complete, release, open }, on: {} });
});
