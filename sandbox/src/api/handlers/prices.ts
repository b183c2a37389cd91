import { isRecord } from '../../base/json.ts';
import { isBilled, requireBillable } from '../../domain/billing/subscription.ts';
import { Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { noticeNames } from '../request/parameter-names.ts';
import type { Handler } from './handler.ts';

/** Fields of prices elsewhere, by which the sandbox bills nothing. */
const unread = ['amount', 'interval', 'recurring'];

/** What the sandbox reads. The interface shows no field of a price. */
const billedBy = ['unit_amount', 'currency', 'name'];

/** Notices the fields by which another service would bill. */
export function noticeUnbilled(body: unknown): void {
  if (!isRecord(body)) return;
  const names = unread.filter((name) => name in body);
  noticeNames(names, () => billedBy);
}

/** Returns the method that updates a price, unless a renewal could not bill it. */
export function billableUpdate(state: State, update: Handler): Handler {
  return (call) => {
    const price = update(call);
    requireBillable(state, call.id);
    return price;
  };
}

/** Returns the method that deletes a price, unless renewals need it. */
export function unbilledDelete(state: State, remove: Handler): Handler {
  return (call) => {
    if (!isBilled(state, call.id)) return remove(call);
    const message = `A subscription bills the price '${call.id}': change its items or cancel it first.`;
    throw new Problem(409, 'PRICE_IN_USE', message);
  };
}
