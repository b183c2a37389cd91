import { isRecord } from '../../../base/json.ts';
import { isBilled, requireBillable } from '../../domain/billing/subscription.ts';
import { Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { noticeNames } from '../request/parameter-names.ts';
import type { Call, Handler } from './handler.ts';

/** Fields of prices elsewhere, by which the sandbox bills nothing. */
const unread = ['amount', 'interval', 'recurring'];

/** What the sandbox reads. The interface shows no field of a price. */
const billedBy = ['unit_amount', 'currency', 'name'];

function notice({ body }: Call): void {
  if (isRecord(body))
    noticeNames(
      unread.filter((name) => name in body),
      () => billedBy,
    );
}

/** Renewals would have no amount. */
function requireUnbilled(state: State, { id }: Call): void {
  if (!isBilled(state, id)) return;
  const message = `A subscription bills the price '${id}': change its items or cancel it first.`;
  throw new Problem(409, 'PRICE_IN_USE', message);
}

/** Returns the write methods of prices over those of any open kind. */
export function priceHandlers<Writing extends Readonly<Record<'create' | 'update' | 'delete', Handler>>>(
  state: State,
  open: Writing,
): Writing {
  const after = (check: (call: Call) => void, handler: Handler): Handler => {
    return (call) => {
      check(call);
      return handler(call);
    };
  };
  return {
    ...open,
    create: after(notice, open.create),
    update: after(notice, (call) => {
      const price = open.update(call);
      requireBillable(state, call.id);
      return price;
    }),
    delete: after((call) => requireUnbilled(state, call), open.delete),
  };
}
