import { isRecord } from '../base/json.ts';
import { placeholder } from '../sdk.ts';
import type { KeptRequest } from './entry.ts';
import { ofApp } from './request-links.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names of metadata such as `order_id`, `orderId` and `Order Number`. Others, such as `source`, name no single purchase. */
const orderField = /^order[ _-]?(?:id|no|nr|number|ref|reference)?$/i;

/** A year, a month or a day, under which shops number their orders: `2026/7`, `2026-11-26/2`, `26.11.2026/2`. */
const period = /^(?:(?:19|20)\d\d(?:([-.]?)\d\d(?:\1\d\d)?)?|\d\d([-.])(?:\d\d\2)?(?:19|20)\d\d)$/;

/**
 * Returns the order of an operation id with the number of an attempt, as in our guides: of `order-88/2` it is `order-88`. The digit before the
 * slash tells it from an order under a prefix: `order/2`. One under a period is an order too: `2026/2`.
 */
function orderOfAttempt(operationId: string): string | undefined {
  const [number = '', order = ''] = operationId.split('/').toReversed();
  const isAttempt = /^\d$/.test(number) && /\d/.test(order) && !period.test(order);
  return isAttempt ? operationId.slice(0, -2) : undefined;
}

/** Methods that begin a purchase. The operation ids of others may name a return or a shipment. */
const beginnings: readonly unknown[] = ['paymentIntents.create', 'checkoutSessions.create'];

/** What shops write where there is no name. */
const nameless = /^(?:none|null|undefined|n\/?a|[\s.-]*)$/i;

function wordsIn({ client_reference_id, orderid, metadata }: Fields): readonly unknown[] {
  const orders = Object.entries(isRecord(metadata) ? metadata : {}).filter(([name]) => orderField.test(name));
  return [client_reference_id, orderid, ...orders.map(([, value]) => value)];
}

/** Returns the name of an operation id, which may be redacted, and that of the order whose attempt it is. */
function namesOf({ operation, operationId, links }: KeptRequest): readonly string[] {
  if (!beginnings.includes(operation) || links.operation === null) return [];
  const order = orderOfAttempt(operationId ?? '');
  const isShown = order !== undefined && !order.includes(placeholder);
  return isShown ? [links.operation, ofApp('operation', order)] : [links.operation];
}

/**
 * Returns the names of the shop for one purchase, hashed: the `client_reference_id`, the `orderid`, an order in the metadata, and the
 * operation id that began it. A shop may write the same word into any of them.
 *
 * @param sources The objects and the bodies of its order.
 */
export function shopNamesOf(
  sources: readonly Fields[],
  requests: readonly KeptRequest[],
): ReadonlySet<string> {
  const words = new Set(sources.flatMap(wordsIn).filter((word) => typeof word === 'string'));
  const shown = [...words].filter((word) => !word.includes(placeholder) && !nameless.test(word));
  return new Set([...shown.map((word) => ofApp('operation', word)), ...requests.flatMap(namesOf)]);
}
