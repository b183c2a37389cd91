import type { idPrefixes } from '../../../resources/ids.ts';
import type { DocumentedResources } from '../../../resources/resource-types.ts';
import type { CreditedAmount, UnsettledAmount } from './amounts.ts';
import type { SandboxDelivery } from './delivery.ts';
import type { PendingDeliveryFault } from './delivery-fault.ts';
import type { SandboxEvent } from './event.ts';
import type { AuthenticationRecord, DeviceSession, PaymentToken, VelocityCount } from './form-records.ts';
import type { LedgerAccount, LedgerEntry } from './ledger-records.ts';
import type { RememberedReply } from './reply.ts';
import type { Mandate, SubscriptionInvoice } from './subscription-records.ts';
import type { Transaction } from './transaction.ts';

/** An object whose fields the interface does not show: those that every object has, and whatever it was given. */
export interface SandboxOpenObject {
  /** The id. */
  readonly id: string;
  /** The type's name. */
  readonly object: string;
  /** Always false here. */
  readonly livemode: boolean;
  /** When it was created, in seconds. */
  readonly created_at: number;
  /** When it last changed, in seconds. */
  readonly updated_at: number;
  /** Whatever it was given. */
  readonly [field: string]: unknown;
}

/** What a sandbox keeps, by the name in the `object` field. */
export interface SandboxObjects extends DocumentedResources {
  /** Something that is sold. */
  readonly product: SandboxOpenObject;
  /** What a product costs. */
  readonly price: SandboxOpenObject;
  /** Something to pay with. */
  readonly payment_method: SandboxOpenObject;
  /** A card reader. */
  readonly terminal: SandboxOpenObject;
  /** How money is paid out. */
  readonly settlement_profile: SandboxOpenObject;
  /** A key of the API. */
  readonly api_key: SandboxOpenObject;
  /** Where events are sent. */
  readonly webhook_endpoint: SandboxOpenObject;
  /** A merchant of a platform. */
  readonly account: SandboxOpenObject;
  /** An account that is connected to a platform. */
  readonly connection: SandboxOpenObject;
  /** A link by which a merchant connects an account. */
  readonly account_link: SandboxOpenObject;
}

/** The kinds of objects, by the name in their `object` field. */
export type SandboxKind = keyof SandboxObjects;

/** What the sandbox keeps besides the objects of the service. */
interface InternalObjects {
  /** A transaction of the form endpoint. */
  readonly transaction: Transaction;
  /** What stands for a card, once. */
  readonly payment_token: PaymentToken;
  /** A run of 3-D Secure. */
  readonly authentication: AuthenticationRecord;
  /** What the browser script has collected of a buyer's device. */
  readonly device_session: DeviceSession;
  /** The attempts that a velocity rule counts. */
  readonly velocity_count: VelocityCount;
  /** What was answered under an idempotency key. */
  readonly reply: RememberedReply;
  /** Something that happened. */
  readonly event: SandboxEvent;
  /** An event on its way to an endpoint. */
  readonly delivery: SandboxDelivery;
  /** What is to go wrong with deliveries. */
  readonly delivery_fault: PendingDeliveryFault;
  /** Which subscription an invoice belongs to. */
  readonly subscription_invoice: SubscriptionInvoice;
  /** What a subscription is paid with. */
  readonly mandate: Mandate;
  /** What is credited of an invoice. */
  readonly credited_amount: CreditedAmount;
  /** Money that waits for a batch. */
  readonly unsettled_amount: UnsettledAmount;
  /** A movement of money. */
  readonly ledger_entry: LedgerEntry;
  /** What an account of the ledger comes to. */
  readonly ledger_account: LedgerAccount;
}

/** Everything that the sandbox keeps. */
export interface Kinds extends SandboxObjects, InternalObjects {}

/** The kinds of everything that the sandbox keeps. */
export type Kind = keyof Kinds;

/** What ids begin with, for the kinds whose prefix the interface does not show. */
export const chosenPrefixes = {
  product: 'prod_',
  api_key: 'key_',
  webhook_endpoint: 'we_',
  account: 'acct_',
  connection: 'conn_',
  account_link: 'alnk_',
};

/** What the ids of each kind begin with. */
export type Prefixes = typeof idPrefixes & Readonly<typeof chosenPrefixes>;

/** The id of an object of one kind. */
export type IdOf<Kind extends SandboxKind> = `${Prefixes[Kind]}${string}`;
