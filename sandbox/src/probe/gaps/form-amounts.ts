/**
 * How the form endpoint writes amounts. That it approves one proves nothing: an endpoint that takes `12.00` may take `1200` for a hundred
 * times as much. So only an amount that the service itself states counts.
 */

import { toDecimalAmount } from 'payments-client';
import type { FormEncoding } from '../../base/interface-types.ts';
import { asAssumed, differs, type Finding, type Gap, notSeen } from '../finding.ts';
import { itemsOf, pageOf, type Seen } from '../objects.ts';
import { collectionPaths } from '../path-forms.ts';
import { fieldOf, isPlain, type Reading, read } from '../question.ts';
import { encodingUnderstood } from './form.ts';
import { approvesTestCard, sell, type TestSale, voidOf, type Written } from './test-sale.ts';

/** A sale, and what the service states of it. */
interface Stated extends TestSale {
  /** The amount in whole units, such as dollars or yen; `undefined` if the service does not state it. */
  readonly amount: number | undefined;
  /** Whether a charge does not say that no real money moved. */
  readonly isLive: boolean;
}

/** The least length of an id that names nothing else. */
const leastIdLength = 8;

/** Returns whether one of the texts is a value within an object, at any depth. */
function holds(object: Seen, texts: readonly string[]): boolean {
  const parts: unknown[] = [object];
  // Grows while it runs: a recursion would end at the depth that a service chooses.
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) {
      if (texts.includes(String(part))) return true;
    } else for (const inner of Object.values(part)) parts.push(inner);
  }
  return false;
}

/** Returns whether a charge is that of a sale: it has its order id, or its transaction's. */
function isOf({ orderid, id }: TestSale, charge: Seen): boolean {
  return holds(charge, id.length < leastIdLength ? [orderid] : [orderid, id]);
}

/** Returns the charges of a sale. Limits differ, since a session asks each question once. */
function* chargesOf(sale: TestSale, limit: number): Reading<readonly Seen[]> {
  for (const path of collectionPaths('charges')) {
    const page = pageOf(yield* read(path, { limit: String(limit) }));
    if (page !== undefined) return itemsOf(page).filter((one) => isOf(sale, one));
  }
  return [];
}

/** Returns an amount of minor units as a decimal; `undefined` for what is none. */
function decimalOf(amount: unknown, currency: string): string | undefined {
  if (typeof amount !== 'number') return undefined;
  try {
    return toDecimalAmount(amount, currency);
  } catch {
    return undefined;
  }
}

/** Returns the amount of a charge in whole units. It must be in the currency of the sale, or in one with cents. */
function amountOfCharge(charge: Seen, { currency }: Written): number | undefined {
  const stated = String(fieldOf(charge, 'currency')).toUpperCase();
  const decimal = decimalOf(fieldOf(charge, 'amount'), stated);
  if (decimal === undefined) return undefined;
  const isExpected = currency === undefined ? /\.\d\d$/.test(decimal) : stated === currency;
  return isExpected ? Number(decimal) : undefined;
}

/** The fields in which similar endpoints state the amount. */
const amountFields = ['amount', 'amount_authorized', 'authorized_amount'];

/** Returns the amount of a response: one in whole units, as its point shows, and no copy of what was sent. */
function amountOfResponse({ fields, written }: TestSale): number | undefined {
  // A service may ignore the currency, and a response does not state it.
  if (written.currency !== undefined) return undefined;
  const texts = amountFields.flatMap((name) => fields[name] ?? []);
  const amounts = new Set(texts.filter((text) => text !== written.amount));
  const [text = '', ...others] = amounts;
  return others.length === 0 && /^\d{1,10}\.\d{2}$/.test(text) ? Number(text) : undefined;
}

/** Returns the one amount that the service states. Of several charges none counts. */
function amountOf(sale: TestSale, [charge, ...others]: readonly Seen[]): number | undefined {
  if (sale.approved !== true) return undefined;
  const ofCharge = charge && others.length === 0 ? amountOfCharge(charge, sale.written) : undefined;
  const ofResponse = amountOfResponse(sale);
  const isOne = ofCharge === undefined || ofResponse === undefined || ofCharge === ofResponse;
  return isOne ? (ofCharge ?? ofResponse) : undefined;
}

/** The sales of one probe. */
class Sales {
  readonly #encoding: FormEncoding;
  readonly #made: TestSale[] = [];

  constructor(encoding: FormEncoding) {
    this.#encoding = encoding;
  }

  /** Makes a sale, and looks for what the service states of it. */
  *sell(written: Written): Reading<Stated> {
    const sale = yield* sell(this.#encoding, written);
    this.#made.push(sale);
    // An unreadable answer proves no refusal.
    const charges = sale.approved === false ? [] : yield* chargesOf(sale, 20 + this.#made.length);
    const isLive = charges.some((charge) => fieldOf(charge, 'livemode') !== false);
    return { ...sale, isLive, amount: isLive ? undefined : amountOf(sale, charges) };
  }

  /** Voids what was taken. */
  *void(): Reading<void> {
    for (const { approved, id } of this.#made) {
      if (approved && isPlain(id)) yield voidOf(this.#encoding, id);
    }
  }
}

const live = 'a charge of a test sale does not say livemode: false, so no more was sold';
const noStatement = 'the service states no amount of a test sale: look it up in the merchant control panel';
const noYen = 'two decimals, but the service states no amount of yen, which tells currency from two-decimals';
const noForm = 'the amounts that the service states fit no known form';

/** Tells the two decimal forms apart, which write yen differently. */
function* decimalForm(sales: Sales): Reading<Finding> {
  const whole = yield* sales.sell({ amount: '101', currency: 'JPY' });
  if (whole.isLive) return notSeen(live);
  const decimal = yield* sales.sell({ amount: '101.00', currency: 'JPY' });
  if (decimal.isLive) return notSeen(live);
  const isTaken = ({ amount }: Stated) => amount === 101;
  // A service that takes the two for different amounts may state yen in another unit.
  if (isTaken(whole) && (decimal.amount === undefined || isTaken(decimal)))
    return asAssumed('currency', { formAmounts: 'currency' });
  if (isTaken(decimal)) return differs('two-decimals', { formAmounts: 'two-decimals' });
  return notSeen(whole.amount === undefined && decimal.amount === undefined ? noYen : noForm);
}

/** Compares what the service states with what each form means. */
function* compare(sales: Sales): Reading<Finding> {
  const decimal = yield* sales.sell({ amount: '1.01' });
  if (decimal.isLive) return notSeen(live);
  if (decimal.amount === 1.01) return yield* decimalForm(sales);
  // An endpoint that takes it for something else than 1.01 may do so with whole amounts too.
  if (decimal.approved !== false) return notSeen(decimal.amount === undefined ? noStatement : noForm);
  const whole = yield* sales.sell({ amount: '101' });
  if (whole.isLive) return notSeen(live);
  if (whole.amount === 1.01) return differs('integer', { formAmounts: 'integer' });
  return notSeen(whole.amount === undefined ? noStatement : noForm);
}

/** How the form endpoint writes amounts. */
export const formAmounts: Gap = {
  id: 'G82',
  title: 'amounts of a form',
  needs: '--sale',
  *read() {
    const encoding = yield* encodingUnderstood();
    if (encoding === undefined) return notSeen('no encoding of a form is known');
    if (!(yield* approvesTestCard(encoding)))
      return notSeen('the form endpoint does not approve the test card, so no sale was made');
    const sales = new Sales(encoding);
    const finding = yield* compare(sales);
    yield* sales.void();
    return finding;
  },
};
