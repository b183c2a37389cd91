/**
 * Sends the buyer of an order to the payment page: a route handler of Next.js, on Node.
 *
 * Run it: save it as `app/orders/[id]/checkout/route.ts`, with `shop.ts` in the same folder.
 */

import { shopOf } from './shop.ts';

export async function POST(
  _request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const { orders, page } = shopOf(process.env);
  const { id } = await params;
  const checkout = await orders.checkout(id);
  return Response.redirect(checkout.state === 'open' ? checkout.url : page(id), 303);
}
