/** Reads the merchant's row of an order. */

import { checkOptions, integerFrom } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { currencyParam } from '../resources/fields/common.ts';
import { idParam } from '../resources/fields/ids.ts';
import { exactTotal } from '../resources/fields/totals.ts';
import type { Money } from './types/money.ts';
import type { OrderLine, OrderRow } from './types/order.ts';

const timeText =
  'the time of its creation: a Date, a number, or a text of at most 64 ASCII characters without @';
/** It ends the key of a record, after an `@`. */
const timePattern = /^[ -?A-~]{1,64}$/;

/** Whether a value is a text for the time of a row's creation. */
export const isTimeText = (value: unknown) => typeof value === 'string' && timePattern.test(value);

const isTime = (value: unknown) =>
  (value instanceof Date && !Number.isNaN(value.getTime())) ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  isTimeText(value);

const isRowId = (value: unknown) =>
  typeof value === 'bigint' || typeof value === 'string' || Number.isSafeInteger(value);

const rowSchema = /* @__PURE__ */ s.lazily(() =>
  s.object({
    id: s.optional(s.custom<NonNullable<OrderRow['id']>>(isRowId, 'a text or an integer')),
    createdAt: s.custom<OrderRow['createdAt']>(isTime, timeText),
    currency: currencyParam(),
    lines: s
      .array(s.object({ name: s.filled(), amount: integerFrom(0), quantity: integerFrom(1) }))
      .check(s.notEmpty())
      .check(exactTotal(({ amount, quantity }: OrderLine) => amount * quantity)),
    customer: s.optional(s.nullable(idParam('customer'))),
  }),
);

/** @throws ConfigurationError for a row that is not one. */
function checkRow(row: OrderRow): OrderRow {
  checkOptions('order()', rowSchema, row, 'Return the row as `OrderRow` has it: nothing was sent.');
  return row;
}

/** Returns a row, unless it is found by another spelling of its id. */
export function rowNamed(row: OrderRow, id: string): OrderRow | undefined {
  const own = checkRow(row).id ?? id;
  return String(own) === id ? row : undefined;
}

/** Returns what a row asks for. */
export function rowTotal({ lines, currency }: OrderRow): Money {
  const amount = lines.reduce((total, line) => total + line.amount * line.quantity, 0);
  return { amount, currency: currency.toUpperCase() };
}

/** Whether two amounts are the same money. */
export const isSame = (one: Money, other: Money) =>
  one.amount === other.amount && one.currency === other.currency;

/** Returns a text for the time of a row's creation, the same at each read. */
export function createdText({ createdAt }: OrderRow): string {
  return createdAt instanceof Date ? createdAt.toISOString() : String(createdAt);
}
