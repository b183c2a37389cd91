import { defineErrorClass, type ErrorFields, PaymentsError } from '../base/errors.ts';

/**
 * A call about an order was refused. Its `code` says why:
 * - `ORDER_NOT_FOUND`: `order` returned no row;
 * - `ORDER_REFUND_REFUSED`: more would go back than was paid, in another currency, or the same return has another amount;
 * - `ORDER_NOTHING_OPEN`: nothing of the order waits for this: `resolve`, `retryRefund` or `capture`;
 * - `ORDER_CHANGED`: the order kept changing, or its row was edited after something was authorized; call again;
 * - `ORDER_MISMATCH`: `resolve` got the id of something else;
 * - `ORDER_AMOUNT`: the service asks for another amount than the order;
 * - `ORDER_MODE`: an object of the other mode, test or live;
 * - `ORDER_UNKNOWN_PAYMENT`: an event of a payment that belongs to no order.
 */
export class OrderError extends PaymentsError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'OrderError', {
    outcome: 'not_executed',
  });
}

type OrderErrorCode =
  | 'ORDER_NOT_FOUND'
  | 'ORDER_REFUND_REFUSED'
  | 'ORDER_NOTHING_OPEN'
  | 'ORDER_CHANGED'
  | 'ORDER_MISMATCH'
  | 'ORDER_AMOUNT'
  | 'ORDER_MODE'
  | 'ORDER_UNKNOWN_PAYMENT';

/** Returns the error of an order. */
export function orderError(
  code: OrderErrorCode,
  message: string,
  fields: ErrorFields<PaymentsError> = {},
): OrderError {
  return new OrderError(message, { ...fields, code });
}
