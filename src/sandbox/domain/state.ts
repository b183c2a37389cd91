import { resourceSchemas } from '../../resources/schemas.ts';
import type { SecretEncoding } from '../../resources/webhook-form.ts';
import type { SignatureScheme } from '../../webhooks/signatures/scheme.ts';
import type { VirtualClock } from '../store/clock.ts';
import type { Collection, CollectionSettings } from '../store/collection.ts';
import type { StoreContents } from '../store/contents.ts';
import { type Rules, Store } from '../store/store.ts';
import type { Forms } from './forms.ts';
import type { MoneySettings } from './money-settings.ts';
import type { IdOf, Kind, Kinds, SandboxKind } from './records/records.ts';

/** The objects of each kind. */
export type Collections = { readonly [One in Kind]: Collection<Kinds[One]> };

/** One change of one object of a kind. */
export interface ChangeOf<One extends Kind> {
  readonly kind: One;
  readonly id: string;
  /** What it was; `undefined` where it is new. */
  readonly before: Kinds[One] | undefined;
  /** What it is; `undefined` where it was removed. */
  readonly after: Kinds[One] | undefined;
}

/** One change of one object, of whatever kind. */
export type Change = { [One in Kind]: ChangeOf<One> }[Kind];

/** What the objects of each kind are called in messages. */
const labels: Readonly<Record<Kind, string>> = {
  checkout_session: 'checkout session',
  payment_intent: 'payment intent',
  charge: 'charge',
  refund: 'refund',
  customer: 'customer',
  invoice: 'invoice',
  subscription: 'subscription',
  credit_note: 'credit note',
  terminal_batch: 'terminal batch',
  product: 'product',
  price: 'price',
  payment_method: 'payment method',
  terminal: 'terminal',
  settlement_profile: 'settlement profile',
  api_key: 'API key',
  webhook_endpoint: 'webhook endpoint',
  account: 'account',
  connection: 'connection',
  account_link: 'account link',
  transaction: 'transaction',
  payment_token: 'payment token',
  authentication: 'authentication',
  device_session: 'device session',
  velocity_count: 'velocity count',
  reply: 'reply',
  event: 'event',
  delivery: 'delivery',
  delivery_fault: 'fault of deliveries',
  subscription_invoice: 'invoice of a subscription',
  mandate: 'mandate',
  credited_amount: 'credited sum',
  unsettled_amount: 'unsettled amount',
  ledger_entry: 'ledger entry',
  ledger_account: 'ledger account',
};

/** Whether there are objects of a kind with this name. */
export function isKind(name: string): name is Kind {
  return Object.hasOwn(labels, name);
}

/** Only objects of the service are listed in pages, for which a cursor may be one that was removed. */
function settingsOf(kind: string, label: string): CollectionSettings {
  return { label, remembersRemoved: Object.hasOwn(resourceSchemas, kind) };
}

const collectionSettings = Object.fromEntries(
  Object.entries(labels).map(([kind, label]) => [kind, settingsOf(kind, label)]),
);

/** The fields that new objects have. */
export interface CommonFields<One extends SandboxKind> {
  /** A new id. */
  readonly id: IdOf<One>;
  /** The type's name. */
  readonly object: One;
  /** Always false here. */
  readonly livemode: false;
  /** The present time in seconds. */
  readonly created_at: number;
  /** The same. */
  readonly updated_at: number;
}

/** How the merchant has set the service up. */
export interface MerchantSettings extends MoneySettings {
  /** The forms of the service that its interface does not show. */
  readonly forms: Forms;
  /** How deliveries of webhooks are signed. */
  readonly scheme: SignatureScheme;
  /** How the secrets of the scheme are written. */
  readonly secretEncoding: SecretEncoding;
  /** Whether endpoints that are registered over HTTP may be on other machines. */
  readonly allowRemoteWebhooks: boolean;
}

/** Everything that the sandbox remembers of its one merchant. */
export class State extends Store<Change> {
  declare readonly objects: Collections;
  /** How the merchant has set the service up. */
  readonly settings: MerchantSettings;
  /** The id of the one merchant. */
  readonly merchantId = this.ids.next('mer');

  constructor(clock: VirtualClock, settings: MerchantSettings, rules: Rules<Change>) {
    super(clock, collectionSettings, rules);
    this.settings = settings;
  }

  override load(contents: StoreContents): void {
    // The merchant's id was the first.
    super.load({ ...contents, ids: Math.max(1, contents.ids) });
  }

  /** Makes the fields that every new object has. */
  commonFields<One extends SandboxKind>(object: One): CommonFields<One> {
    const now = this.clock.seconds();
    const id: IdOf<One> = `${this.settings.forms.prefixes[object]}${this.ids.text()}`;
    return { id, object, livemode: false, created_at: now, updated_at: now };
  }
}
