import { eventOf } from '../../support/deliveries.ts';
import { webhooks } from './shop.ts';

type Headers = Readonly<Record<string, string>>;

/** A signed delivery. */
export interface SignedDelivery {
  readonly body: string;
  readonly headers: Headers;
}

let count = 0;

/** An event of a payment of 1200 with a unique id. */
export function paidEvent(note = 'a payment'): object {
  count += 1;
  const { data, ...envelope } = eventOf('payment_intent.succeeded', { id: `evt_${count}` });
  const object = typeof data === 'object' && data !== null && 'object' in data ? data.object : undefined;
  return { ...envelope, data: { object: { ...Object(object), metadata: { note } } } };
}

/** Returns the headers of a signed body; without a content type if that is `undefined`. */
export async function signed(body: string | Uint8Array, ...types: (string | undefined)[]): Promise<Headers> {
  const [type] = types.length === 0 ? ['application/json'] : types;
  const headers = await webhooks.sign(body);
  return type === undefined ? headers : { ...headers, 'content-type': type };
}

/** Returns a signed delivery of a payment, or of this body. */
export async function deliveryOf(body: string = JSON.stringify(paidEvent())): Promise<SignedDelivery> {
  return { body, headers: await signed(body) };
}
