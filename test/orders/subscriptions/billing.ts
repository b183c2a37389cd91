/** A service that bills: subscriptions with all their versions, invoices that it gives up, and events that it delivers until one is taken. */

import type { Invoice, Subscription } from 'payments-client';
import { anything } from '../../support/anything.ts';
import { json } from '../../support/mock-service.ts';
import { day, hour, invoice, notFound, start, subscription } from './shop.ts';

const ids = ['sub_1', 'sub_2', 'sub_3'] as const;
type SubscriptionId = (typeof ids)[number];

/** What may change of a subscription. */
export interface Change {
  readonly status?: Subscription['status'];
  readonly cancel_at_period_end?: boolean;
  readonly current_period_end?: number;
  readonly ended_at?: number;
}

/** An event that was not taken yet. */
export type Letter =
  | { readonly type: 'subscription.updated'; readonly object: Subscription }
  | { readonly type: 'invoice.marked_uncollectible'; readonly object: Invoice };

interface BillingOptions {
  /** Whether the service has the paths that the interface does not show. */
  readonly paths: { readonly retrieve: boolean; readonly cancel: boolean };
}

const finalStatuses: readonly string[] = ['canceled', 'ended'];

export class Billing {
  seconds = start;
  readonly letters: Letter[] = [];
  /** The subscription of each invoice that was given up. */
  readonly owners = new Map<string, SubscriptionId>();
  /** The subscriptions that a request canceled. */
  readonly canceled: string[] = [];
  /** How many versions behind a read is. */
  staleness = 0;
  readonly #options: BillingOptions;
  readonly #versions: Map<string, Subscription[]>;
  readonly #answers = new Map<string, Subscription | undefined>();

  constructor(options: BillingOptions) {
    this.#options = options;
    const customers = { sub_1: 'cus_1', sub_2: 'cus_1', sub_3: 'cus_2' } as const;
    this.#versions = new Map(
      ids.map((id) => [id, [subscription({ id, customer: customers[id], status: 'incomplete' })]]),
    );
    for (const id of ids) this.#tell(this.newest(id));
  }

  get canRead(): boolean {
    return this.#options.paths.retrieve;
  }

  get ids() {
    return ids;
  }

  versions(id: string): readonly Subscription[] {
    return this.#versions.get(id) ?? [];
  }

  newest(id: SubscriptionId): Subscription {
    const newest = this.versions(id).at(-1);
    if (newest === undefined) throw new Error(`There is no ${id}.`);
    return newest;
  }

  isOver(id: SubscriptionId): boolean {
    return finalStatuses.includes(this.newest(id).status);
  }

  /** Changes a subscription that is not over. What the rank of a status orders may happen within one second. */
  change(id: SubscriptionId, fields: Change): void {
    const before = this.newest(id);
    if (this.isOver(id)) return;
    const isFirst = before.status === 'incomplete' && fields.status !== undefined;
    const isOrdered = fields.status === 'canceled' || isFirst;
    if (!isOrdered) this.seconds = Math.max(this.seconds, before.updated_at + 1);
    const dates = fields.status === 'canceled' ? { canceled_at: this.seconds, ended_at: this.seconds } : {};
    const after = subscription(anything({ ...before, ...dates, ...fields, updated_at: this.seconds }));
    this.#versions.get(id)?.push(after);
    this.#tell(after);
  }

  /** Lets time pass: what is to end with its period ends, and all else renews. */
  pass(seconds: number): void {
    this.seconds += seconds;
    for (const id of ids) {
      const { current_period_end, cancel_at_period_end } = this.newest(id);
      if (current_period_end > this.seconds) continue;
      if (cancel_at_period_end) this.change(id, { status: 'ended', ended_at: current_period_end });
      else this.change(id, { current_period_end: this.seconds + 30 * day });
    }
  }

  /** Gives up an invoice of a subscription, which may name it. */
  giveUp(id: SubscriptionId, isNamed: boolean): void {
    if (this.isOver(id)) return;
    const { customer } = this.newest(id);
    const given = invoice({
      id: `inv_${this.owners.size + 1}` as const,
      customer,
      created_at: this.seconds - hour,
      ...(isNamed && { subscription: id }),
    });
    this.owners.set(given.id, id);
    this.letters.push({ type: 'invoice.marked_uncollectible', object: given });
  }

  /** Whether a customer may use what they subscribed to. */
  grants(customer: string): boolean {
    return ids.map((id) => this.newest(id)).some((one) => one.customer === customer && this.#isPaid(one));
  }

  /** Answers a request. */
  answer(method: string, path: string, key: string | null): Response {
    const [, , , id, act] = path.split('/');
    const known = ids.find((one) => one === id);
    if (known === undefined) return notFound();
    if (method === 'GET') return this.#retrieve(known);
    return act === 'cancel' && this.#options.paths.cancel ? this.#cancel(known, key ?? '') : notFound();
  }

  #isPaid({ status, cancel_at_period_end, current_period_end }: Subscription): boolean {
    const hasEnded = cancel_at_period_end && current_period_end <= this.seconds;
    return ['active', 'past_due'].includes(status) && !hasEnded;
  }

  #retrieve(id: SubscriptionId): Response {
    if (!this.#options.paths.retrieve) return notFound();
    const versions = this.versions(id);
    return json(versions[Math.max(0, versions.length - 1 - this.staleness)]);
  }

  #cancel(id: SubscriptionId, key: string): Response {
    const isReplay = this.#answers.has(key);
    if (!isReplay) this.#answers.set(key, this.#canceledNow(id));
    const answer = this.#answers.get(key);
    const headers = isReplay ? { 'idempotent-replayed': 'true' } : {};
    if (answer === undefined) return json({ error: { code: 'is_over' } }, { status: 409, headers });
    return json(answer, { headers });
  }

  #canceledNow(id: SubscriptionId): Subscription | undefined {
    if (this.isOver(id)) return undefined;
    this.canceled.push(id);
    this.change(id, { status: 'canceled' });
    return this.newest(id);
  }

  #tell(object: Subscription): void {
    this.letters.push({ type: 'subscription.updated', object });
  }
}
