import { toDecimalAmount } from 'payments-client';
import { readCount } from '../api/request/pagination.ts';
import { isRecord } from '../base/json.ts';
import { digitsOf } from '../domain/amounts.ts';
import { invalidParameter } from '../domain/problem.ts';
import type { Collection, Identified } from '../store/collection.ts';

/** Matching objects, newest first, and whether there are older ones. */
interface MatchingPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** How many objects are scanned at a time. */
const step = 200;

/**
 * Returns a page of matching objects.
 *
 * @param query Has `limit`, and `before`: the id of the oldest object that the caller has.
 * @param size The default of `limit`.
 * @throws Problem when the limit or the cursor is invalid.
 */
export function matchingPage<T extends Identified>(
  collection: Collection<T>,
  query: URLSearchParams,
  size: number,
  matches: (item: T) => boolean,
): MatchingPage<T> {
  const limit = readCount(query, 'limit', 1, Number.MAX_SAFE_INTEGER) ?? size;
  let olderThan = query.get('before') ?? undefined;
  if (olderThan !== undefined && !collection.knows(olderThan)) {
    throw invalidParameter('before', `before: there is no ${collection.label} '${olderThan}'.`);
  }
  const found: T[] = [];
  for (;;) {
    const items = collection.page({ olderThan, limit: step });
    for (const item of items.filter(matches)) {
      // One more match tells whether there are older ones.
      if (found.length === limit) return { items: found, hasMore: true };
      found.push(item);
    }
    if (items.length < step) return { items: found, hasMore: false };
    olderThan = items.at(-1)?.id;
  }
}

const pageSize = 50;
const longestPage = 500;

/** Returns a page of a list that is sorted newest first. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  isLast: (item: T) => boolean,
): { readonly data: readonly T[]; readonly has_more: boolean } {
  const limit = readCount(query, 'limit', 1, longestPage) ?? pageSize;
  const after = query.has('before') ? all.findIndex(isLast) + 1 : 0;
  return { data: all.slice(after, after + limit), has_more: all.length > after + limit };
}

/**
 * Returns a case-insensitive predicate: whether one of some texts contains the searched text. An empty one matches
 * all.
 */
export function textMatcher(searched: string | null): (...texts: readonly unknown[]) => boolean {
  const needle = (searched ?? '').trim().toLowerCase();
  if (needle === '') return () => true;
  return (...texts) => texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(needle));
}

const textFields = [
  'id',
  'email',
  'customer_email',
  'name',
  'number',
  'orderid',
  'client_reference_id',
  'url',
];
const amountFields = ['amount', 'amount_total', 'total'];

/** Parses an amount such as `$1,055.00`; `undefined` for any other text. */
function amountIn(searched: string): number | undefined {
  const text = searched
    .trim()
    .replaceAll(',', '')
    .replace(/^[$€£¥]?\s?/, '');
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function decimalOf(amount: unknown, currency: unknown): string | undefined {
  // Transactions have decimals already.
  if (typeof amount === 'string') return amount;
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
  if (digitsOf(currency) === undefined || !Number.isSafeInteger(amount) || amount < 0) return undefined;
  return toDecimalAmount(amount, currency);
}

/** Whether an object has an amount. `55`, `55.00` and `55.0` are equal. */
function hasAmount(object: Readonly<Record<string, unknown>>, amount: number): boolean {
  return amountFields.some((field) => {
    const decimal = decimalOf(object[field], object['currency']);
    return decimal !== undefined && Number(decimal) === amount;
  });
}

/** Returns the full name in an object; empty if it has none. */
export function nameIn(object: Readonly<Record<string, unknown>>): string {
  const { first_name: first = '', last_name: last = '', name = '' } = object;
  return `${first} ${last}`.trim() || String(name);
}

/** Returns a predicate for objects by id, e-mail address, name, number or amount. */
export function objectMatcher(searched: string | null): (object: object) => boolean {
  if (searched === null || searched.trim() === '') return () => true;
  const holds = textMatcher(searched);
  const amount = amountIn(searched);
  return (object) => {
    if (!isRecord(object)) return false;
    if (holds(nameIn(object), ...textFields.map((field) => object[field]))) return true;
    return amount !== undefined && hasAmount(object, amount);
  };
}
