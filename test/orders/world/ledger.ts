import { toMinorUnits } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';

/** How a buyer pays. */
export type PaymentKind = 'page' | 'intent' | 'sale';

/** A payment that the service has taken, and what of it goes back. Amounts are in minor units. */
export interface Taken {
  readonly kind: PaymentKind;
  /** The id of the session, the intent or the transaction. */
  readonly id: string;
  /** The payment intent or the transaction, which refunds name. */
  readonly source: string;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly refunding: number;
}

/** A refund of the service, of either interface. */
export interface LedgerRefund {
  readonly id: string;
  readonly source: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
}

interface Payment {
  readonly kind: PaymentKind;
  readonly id: string;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** What the service knows, sorted by the shops' orders: which payments are whose, and where the money is. */
export class Ledger {
  readonly #sandbox: Sandbox;
  readonly #payments = new Map<string, Payment[]>();
  readonly #owners = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #refunds = new Map<string, Set<string>>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    sandbox.watch((activity) => {
      if (activity.kind !== 'event' || !activity.event.type.startsWith('refund.')) return;
      const { id, payment_intent_id } = activity.event.data.object as {
        id: string;
        payment_intent_id: string;
      };
      const known = this.#refunds.get(payment_intent_id) ?? new Set();
      this.#refunds.set(payment_intent_id, known.add(id));
    });
  }

  /** Returns the order that a request with this idempotency key was made for. */
  ownerOfKey(key: string | null, owner: string | undefined): string | undefined {
    if (key === null) return owner;
    const known = this.#keys.get(key) ?? owner;
    if (known !== undefined) this.#keys.set(key, known);
    return known;
  }

  /** Notes whose payment an object is. */
  note(owner: string, kind: PaymentKind, id: string): void {
    if (this.#owners.has(id)) return;
    this.#owners.set(id, owner);
    this.#payments.set(owner, [...(this.#payments.get(owner) ?? []), { kind, id }]);
  }

  /** Returns the order of a session, an intent, a charge, a transaction or a refund; `undefined` if no shop of this world made it. */
  ownerOf(id: string): string | undefined {
    const direct = this.#owners.get(id);
    if (direct !== undefined) return direct;
    const source = this.#sandbox.get('charge', id)?.intent_id ?? this.#sourceOfRefund(id) ?? id;
    const [owner] = [...this.#payments].find(([, payments]) =>
      payments.some((payment) => this.#sourceOf(payment) === source),
    ) ?? [undefined];
    return owner;
  }

  /** Returns the payments that were made for an order, paid or not. */
  paymentsOf(owner: string): readonly Payment[] {
    return this.#payments.get(owner) ?? [];
  }

  /** Returns what the service has taken for an order. */
  takenFor(owner: string): readonly Taken[] {
    return this.paymentsOf(owner).flatMap((payment) => {
      const taken = payment.kind === 'sale' ? this.#sale(payment) : this.#charge(payment);
      return taken === undefined ? [] : [taken];
    });
  }

  /** Returns the refunds of a payment's source. */
  refundsOf(source: string): readonly LedgerRefund[] {
    const ofIntent = [...(this.#refunds.get(source) ?? [])].flatMap((id): readonly LedgerRefund[] => {
      const refund = this.#sandbox.get('refund', id);
      if (refund === undefined) return [];
      // The sandbox has no other states.
      const status = refund.status as LedgerRefund['status'];
      return [{ id, source, amount: refund.amount, status }];
    });
    const ofSale = this.#sandbox.transactions
      .filter(({ refundOf, status }) => refundOf === source && status !== 'voided')
      .map(({ id, amount, currency, approved }): LedgerRefund => {
        const status = approved ? 'succeeded' : 'failed';
        return { id, source, amount: toMinorUnits(amount, currency), status };
      });
    return [...ofIntent, ...ofSale];
  }

  /** Whether money is held for a payment, which can be taken or released. */
  isHeld(id: string): boolean {
    const sale = this.#sandbox.transactions.find((one) => one.id === id);
    return (
      this.#sandbox.get('payment_intent', id)?.status === 'requires_capture' || sale?.status === 'authorized'
    );
  }

  /** Returns the id by which a notification names a payment: its charge, or its transaction. */
  disputedAs({ kind, source }: Taken): string {
    return kind === 'sale' ? source : (this.#sandbox.get('payment_intent', source)?.latest_charge_id ?? '');
  }

  #sourceOf({ kind, id }: Payment): string | undefined {
    if (kind !== 'page') return id;
    return this.#sandbox.get('checkout_session', id)?.payment_intent_id ?? undefined;
  }

  #sourceOfRefund(id: string): string | undefined {
    return [...this.#refunds].find(([, ids]) => ids.has(id))?.[0];
  }

  #charge(payment: Payment): Taken | undefined {
    const source = this.#sourceOf(payment) ?? '';
    const intent = this.#sandbox.get('payment_intent', source);
    const charge = this.#sandbox.get('charge', intent?.latest_charge_id ?? '');
    if (intent?.status !== 'succeeded' || charge?.status !== 'succeeded') return undefined;
    return { ...payment, source, amount: charge.amount, currency: charge.currency, ...this.#back(source) };
  }

  #sale(payment: Payment): Taken | undefined {
    const sale = this.#sandbox.transactions.find(({ id }) => id === payment.id);
    const amount = sale === undefined ? 0 : toMinorUnits(sale.captured, sale.currency);
    if (sale === undefined || amount === 0) return undefined;
    return { ...payment, source: sale.id, amount, currency: sale.currency, ...this.#back(sale.id) };
  }

  #back(source: string): Pick<Taken, 'refunded' | 'refunding'> {
    const refunds = this.refundsOf(source);
    const amountOf = (wanted: LedgerRefund['status']) =>
      sum(refunds.filter(({ status }) => status === wanted).map(({ amount }) => amount));
    return { refunded: amountOf('succeeded'), refunding: amountOf('pending') };
  }
}
