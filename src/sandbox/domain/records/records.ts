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

/** An object whose fields the interface does not show: the common fields, and any others. */
export interface SandboxOpenObject {
  /** The id. */
  readonly id: string;
  /** The type's name. */
  readonly object: string;
  /** Always false in the sandbox. */
  readonly livemode: boolean;
  /** When it was created, in seconds. */
  readonly created_at: number;
  /** When it last changed, in seconds. */
  readonly updated_at: number;
  /** Any other field. */
  readonly [field: string]: unknown;
}

/** The objects of the service in a sandbox, by the value of `object`. */
export interface SandboxObjects extends DocumentedResources {
  /** A product. */
  readonly product: SandboxOpenObject;
  /** A price of a product. */
  readonly price: SandboxOpenObject;
  /** A payment method. */
  readonly payment_method: SandboxOpenObject;
  /** A card reader. */
  readonly terminal: SandboxOpenObject;
  /** A payout configuration. */
  readonly settlement_profile: SandboxOpenObject;
  /** An API key. */
  readonly api_key: SandboxOpenObject;
  /** A webhook endpoint. */
  readonly webhook_endpoint: SandboxOpenObject;
  /** A merchant of a platform. */
  readonly account: SandboxOpenObject;
  /** An account's connection to a platform. */
  readonly connection: SandboxOpenObject;
  /** A link with which a merchant connects an account. */
  readonly account_link: SandboxOpenObject;
}

/** The kinds of objects, by the name in their `object` field. */
export type SandboxKind = keyof SandboxObjects;

/** The sandbox's internal objects. */
interface InternalObjects {
  /** A transaction of the form endpoint. */
  readonly transaction: Transaction;
  /** A single-use token for a card. */
  readonly payment_token: PaymentToken;
  /** A run of 3-D Secure. */
  readonly authentication: AuthenticationRecord;
  /** A device session of the browser script. */
  readonly device_session: DeviceSession;
  /** The attempts that a velocity rule counts. */
  readonly velocity_count: VelocityCount;
  /** The stored reply of an idempotency key. */
  readonly reply: RememberedReply;
  /** A published event. */
  readonly event: SandboxEvent;
  /** A delivery of an event to an endpoint. */
  readonly delivery: SandboxDelivery;
  /** An armed fault of deliveries. */
  readonly delivery_fault: PendingDeliveryFault;
  /** The subscription of an invoice. */
  readonly subscription_invoice: SubscriptionInvoice;
  /** The payment method of a subscription. */
  readonly mandate: Mandate;
  /** The credited total of an invoice. */
  readonly credited_amount: CreditedAmount;
  /** A charge or refund that waits for settlement. */
  readonly unsettled_amount: UnsettledAmount;
  /** A ledger entry. */
  readonly ledger_entry: LedgerEntry;
  /** The totals of a ledger account. */
  readonly ledger_account: LedgerAccount;
}

/** All objects in a sandbox. */
export interface Kinds extends SandboxObjects, InternalObjects {}

/** All kinds of objects in a sandbox. */
export type Kind = keyof Kinds;

/** Id prefixes for the kinds whose prefix the interface does not show. */
export const chosenPrefixes = {
  product: 'prod_',
  api_key: 'key_',
  webhook_endpoint: 'we_',
  account: 'acct_',
  connection: 'conn_',
  account_link: 'alnk_',
};

/** The id prefix of each kind. */
export type Prefixes = typeof idPrefixes & Readonly<typeof chosenPrefixes>;

/** The id of an object of one kind. */
export type IdOf<Kind extends SandboxKind> = `${Prefixes[Kind]}${string}`;
