import type {
  Charge,
  CheckoutSession,
  CreditNote,
  Customer,
  Id,
  Invoice,
  PaymentIntent,
  Refund,
  Subscription,
  TerminalBatch,
} from 'payments-client';
import type { CatalogEventType, ThreeDSecureStatus } from '../../base/interface-types.ts';
import type { idPrefixes } from '../../sdk.ts';
import type { PendingDeliveryFault, SandboxDelivery } from './delivery.ts';
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
export interface SandboxObjects {
  /** A hosted checkout. */
  readonly checkout_session: CheckoutSession;
  /** A payment, paid or not. */
  readonly payment_intent: PaymentIntent;
  /** Money taken from a buyer, or a declined attempt. */
  readonly charge: Charge;
  /** Money given back. */
  readonly refund: Refund;
  /** A buyer with contact details. */
  readonly customer: Customer;
  /** An invoice, paid or not. */
  readonly invoice: Invoice;
  /** A recurring payment. */
  readonly subscription: Subscription;
  /** A credit against an invoice. */
  readonly credit_note: CreditNote;
  /** Transactions of card readers that are settled together. */
  readonly terminal_batch: TerminalBatch;
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

interface InternalObjects {
  readonly transaction: Transaction;
  readonly payment_token: PaymentToken;
  readonly authentication: AuthenticationRecord;
  readonly device_session: DeviceSession;
  readonly velocity_count: VelocityCount;
  readonly reply: RememberedReply;
  readonly event: SandboxEvent;
  readonly delivery: SandboxDelivery;
  readonly delivery_fault: PendingDeliveryFault;
  readonly subscription_invoice: SubscriptionInvoice;
  readonly mandate: Mandate;
  readonly credited_amount: CreditedAmount;
  readonly unsettled_amount: UnsettledAmount;
  readonly ledger_entry: LedgerEntry;
  readonly ledger_account: LedgerAccount;
}

export interface Kinds extends SandboxObjects, InternalObjects {}

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

export type Prefixes = typeof idPrefixes & Readonly<typeof chosenPrefixes>;

export type IdOf<Kind extends SandboxKind> = `${Prefixes[Kind]}${string}`;

/** The credited total of an invoice: a derived index. */
interface CreditedAmount {
  /** The invoice's id. */
  readonly id: string;
  /** The sum of its credit notes that are issued and not void, in the service's integer unit. */
  readonly amount: number;
}

/** A charge or refund that waits for settlement: a derived index. */
interface UnsettledAmount {
  /** The id of the charge or the refund. */
  readonly id: string;
  readonly kind: 'charge' | 'refund';
  /** When it is settled by itself, in milliseconds since 1970; null for manual settlement. */
  readonly due_at: number | null;
}

/** The subscription of an invoice. The service's own objects do not show it. */
interface SubscriptionInvoice {
  readonly id: Id<'invoice'>;
  readonly subscription: Id<'subscription'>;
  /** Whether it is for a later period than the first. */
  readonly renewal: boolean;
}

/** The payment method of a subscription. */
interface Mandate {
  readonly id: Id<'subscription'>;
  /** The payment method that paid the latest invoice. */
  readonly payment_method: Id<'payment_method'>;
}

/** A reply as plain values, so that it can be stored and replayed. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The stored reply of an idempotency key. */
export interface RememberedReply {
  /** The key. There is one secret key, so keys of different callers cannot collide. */
  readonly id: string;
  readonly endpoint: string;
  /** The digest of the body. The body is not stored, since it may hold a card by mistake. */
  readonly bodyDigest: string;
  readonly reply: Reply;
}

/** An event, as the service sends it. */
export interface SandboxEvent {
  /** Its id, `evt_…`. */
  readonly id: `evt_${string}`;
  /** The event's type. */
  readonly type: CatalogEventType | (string & {});
  /** The API version, a date. */
  readonly api_version: string;
  /** The time of the sandbox's clock, ISO 8601 in UTC. */
  readonly created: string;
  /** Always false in the sandbox. */
  readonly livemode: false;
  /** The payload. */
  readonly data: {
    /** The object in its new state. */
    readonly object: object;
  };
  /** The follow-up actions that the catalog names for the event. */
  readonly operations: readonly string[];
  /** Whether it is sent without its envelope, as a chargeback may be. This field is not sent. */
  readonly bare?: true;
}

/** The stored properties of a card. They do not reveal its number. */
export interface KnownCard {
  /** A keyed hash of the number. */
  readonly fingerprint: string;
  /** The name of the test card; `null` for any other card. */
  readonly testCard: string | null;
  /** The first millisecond, since 1970, in which it is expired. */
  readonly expiresAt: number;
  readonly hasCvv: boolean;
}

/** A single-use token for a card. */
export interface PaymentToken {
  /** The token. */
  readonly id: string;
  readonly card: KnownCard;
  /** The first millisecond, since 1970, in which the token is expired. */
  readonly expiresAt: number;
  readonly used: boolean;
}

/** The record of a 3-D Secure run, for the stories. */
export interface AuthenticationRecord {
  /** The authentication's id, its `xid`. */
  readonly id: string;
  readonly status: ThreeDSecureStatus;
  /** The session whose hosted page started it; missing for a shop's own page. */
  readonly session?: string | undefined;
  /** The open challenge; `null` if there is none. */
  readonly challenge: OpenChallenge | null;
}

/** An issuer's challenge that waits for the buyer. */
export interface OpenChallenge {
  /** The token to authenticate. */
  readonly paymentToken: string;
  /** The origin of the page that started it. */
  readonly origin: string;
  /** The session whose hosted page started it; missing for a shop's own page. */
  readonly session?: string | undefined;
}

/** A device session of the browser script. The collected data is not stored. */
export interface DeviceSession {
  /** The session id, which a transaction takes as `risk_session_id`. */
  readonly id: string;
  /** The time, in milliseconds since 1970. */
  readonly createdAt: number;
}

export interface CountedAttempt {
  /** The attempt, as a keyed hash; empty once it has ended. */
  readonly id: string;
  /** Names the check that counted it. */
  readonly token: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** Its weight as digits, so that it fits JSON: 1, or an amount in ten-thousandths. */
  readonly amount: string;
}

/** The attempts of one card or address that a velocity rule counts. */
interface VelocityCount {
  /** The rule's name and a keyed hash. It does not reveal the card. */
  readonly id: string;
  /** The attempts within the rule's window at its last update, oldest first. */
  readonly attempts: readonly CountedAttempt[];
}

/**
 * The ledger's accounts. They are the sandbox's own: the service shows none. `cash`: the merchant's money.
 * `pending_refunds`: refunds that buyers do not have yet. `sales`, `refunds` and `disputes`: the reasons of
 * movements.
 */
export type LedgerAccountName = 'cash' | 'pending_refunds' | 'sales' | 'refunds' | 'disputes';

/** A movement from one account to another. */
export interface Transfer {
  /** The currency, a 3-letter code in upper case. */
  readonly currency: string;
  readonly debit: LedgerAccountName;
  readonly credit: LedgerAccountName;
  /** In minor units. */
  readonly amount: number;
}

/** One movement in double entry. Entries are append-only. */
export interface LedgerEntry extends Transfer {
  readonly id: string;
}

/** The totals of a ledger account: a derived index. */
export interface LedgerAccount {
  /** The currency and the account, such as `USD cash`. */
  readonly id: string;
  readonly currency: string;
  /** In minor units. */
  readonly debits: number;
  /** In minor units. */
  readonly credits: number;
}
