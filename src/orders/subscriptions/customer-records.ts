/** The records of customers in a store. Each change is a pure step, tried again if another process was faster. */

import { PaymentsError } from '../../base/errors.ts';
import { dueIn } from '../record/due.ts';
import { subscriptionNeeds } from './access.ts';
import { type CustomerRecord, emptyCustomerRecord, parseCustomerRecord } from './customer-record.ts';
import { closeInvoices, nextToCancel } from './given-up.ts';
import type { SubscriptionStore } from './subscriptions.ts';
import { readTimeOf } from './version.ts';

/** How often a change is tried: other processes change the same customer in between. */
const maxTries = 50;

/** Refuses an object of the other mode: a test event must not give access in production. */
function checkMode(key: string, record: CustomerRecord, livemode: boolean): void {
  if (record.livemode === livemode) return;
  const [known, seen] = livemode ? ['test', 'live'] : ['live', 'test'];
  const advice = 'Give each mode an account of its own, and set `livemode` of `new Webhooks`.';
  const message = `${key}: expected an object of ${known} mode, got one of ${seen} mode. ${advice}`;
  throw new PaymentsError(message, { code: 'SUBSCRIPTION_MODE' });
}

/** Returns when `resume` goes on with a customer, in ms; 0 for each time, null for never. */
function wakeTimeOf(record: CustomerRecord, now: number): number | null {
  if (nextToCancel(record, now) !== undefined || subscriptionNeeds(record, now).length > 0) return 0;
  const times = record.subscriptions.flatMap((one) => readTimeOf(record, one, now) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** The records of the customers of an account. */
export class CustomerRecords {
  readonly #store: SubscriptionStore;
  readonly #space: string;
  readonly #now: () => number;

  constructor(store: SubscriptionStore, account: string, now: () => number) {
    this.#store = store;
    this.#space = `subscriptions:${account}`;
    this.#now = now;
  }

  async load(customer: string): Promise<CustomerRecord | undefined> {
    const key = this.#keyOf(customer);
    const document = await this.#store.load(key);
    return document && parseCustomerRecord(key, document.data);
  }

  /**
   * Changes a record, and returns it as it is then.
   *
   * @param livemode The mode of the object that changes it. A new record gets it.
   * @param change Runs again if another process was faster.
   * @throws PaymentsError `SUBSCRIPTION_MODE` for another mode; `SUBSCRIPTION_CHANGED`, retryable, if other processes were always faster.
   */
  async change(
    customer: string,
    livemode: boolean,
    change: (record: CustomerRecord) => CustomerRecord,
  ): Promise<CustomerRecord> {
    const key = this.#keyOf(customer);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const known = await this.#store.load(key);
      const record = known ? parseCustomerRecord(key, known.data) : emptyCustomerRecord(livemode);
      checkMode(key, record, livemode);
      const changed = closeInvoices(change(record));
      const next = { ...changed, wakeAt: wakeTimeOf(changed, this.#now()) };
      const data = JSON.stringify(next);
      if (data === known?.data) return next;
      if (await this.#store.save(key, known?.version ?? 0, data, { wakeAt: next.wakeAt })) return next;
    }
    const message = `${key}: expected a change within ${maxTries} tries, got other changes each time. Call again.`;
    throw new PaymentsError(message, { code: 'SUBSCRIPTION_CHANGED', retryable: true });
  }

  /** Iterates over the customers whose time has come. */
  async *due(): AsyncGenerator<string> {
    for await (const { key } of dueIn(this.#store, this.#space, this.#now()))
      yield key.slice(this.#space.length + 1);
  }

  #keyOf(customer: string): string {
    return `${this.#space}/${customer}`;
  }
}
