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
  /** The object before; `undefined` if it is new. */
  readonly before: Kinds[One] | undefined;
  /** The object after; `undefined` if it was removed. */
  readonly after: Kinds[One] | undefined;
}

/** One change of one object of any kind. */
export type Change = { [One in Kind]: ChangeOf<One> }[Kind];

/** The name of each kind in messages. */
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

/** Whether a kind with this name exists. */
export function isKind(name: string): name is Kind {
  return Object.hasOwn(labels, name);
}

/** Returns a collection's settings. Only objects of the service have pages whose cursor may be a removed object. */
function settingsOf(kind: string, label: string): CollectionSettings {
  return { label, remembersRemoved: Object.hasOwn(resourceSchemas, kind) };
}

const collectionSettings = Object.fromEntries(
  Object.entries(labels).map(([kind, label]) => [kind, settingsOf(kind, label)]),
);

/** The fields that all new objects have. */
export interface CommonFields<One extends SandboxKind> {
  /** A new id. */
  readonly id: IdOf<One>;
  /** The type's name. */
  readonly object: One;
  /** Always false in the sandbox. */
  readonly livemode: false;
  /** The current time in seconds. */
  readonly created_at: number;
  /** Equal to `created_at`. */
  readonly updated_at: number;
}

/** The merchant's settings. */
export interface MerchantSettings extends MoneySettings {
  /** The forms of the service that its interface does not show. */
  readonly forms: Forms;
  /** Whether sessions and form requests keep only the fields that the interface shows. */
  readonly onlyShownFields: boolean;
  /** The signature scheme of deliveries. */
  readonly scheme: SignatureScheme;
  /** The encoding of the scheme's secrets. */
  readonly secretEncoding: SecretEncoding;
  /** Whether endpoints that are registered over HTTP may be on other machines. */
  readonly allowRemoteWebhooks: boolean;
}

/** The state of the sandbox's one merchant. */
export class State extends Store<Change> {
  declare readonly objects: Collections;
  /** The merchant's settings. */
  readonly settings: MerchantSettings;
  /** The merchant's id. */
  readonly merchantId = this.ids.next('mer');

  constructor(clock: VirtualClock, settings: MerchantSettings, rules: Rules<Change>) {
    super(clock, collectionSettings, rules);
    this.settings = settings;
  }

  override load(contents: StoreContents): void {
    // The merchant's id used up the first one.
    super.load({ ...contents, ids: Math.max(1, contents.ids) });
  }

  /** Returns the common fields of a new object. */
  commonFields<One extends SandboxKind>(object: One): CommonFields<One> {
    const now = this.clock.seconds();
    const id: IdOf<One> = `${this.settings.forms.prefixes[object]}${this.ids.text()}`;
    return { id, object, livemode: false, created_at: now, updated_at: now };
  }
}
