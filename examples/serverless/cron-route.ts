/**
 * Finishes what a lost webhook or a killed function left open: a route that the scheduler of your host calls each minute.
 *
 * Run it: save it as `app/cron/route.ts`, with `shop.ts` in the same folder, and set CRON_SECRET, which the scheduler sends.
 */

import { shopOf } from './shop.ts';

export async function GET(request: Request): Promise<Response> {
  const { CRON_SECRET: secret } = process.env;
  const isAllowed = secret !== undefined && request.headers.get('authorization') === `Bearer ${secret}`;
  if (!isAllowed) return new Response('not the scheduler', { status: 401 });
  const { orders, payments, receiver } = shopOf(process.env);
  // A part at a time, so that the function ends within its limit. The next minute goes on.
  const { resumed, failed, unresolved } = await payments.journal.resume();
  const failedOrders = await orders.resume({ limit: 50 });
  const until = Date.now() + 10_000;
  for await (const one of receiver.failed()) {
    if (Date.now() > until) break;
    await receiver.dispatch(one).catch(() => {});
  }
  for (const { error } of [...failedOrders, ...failed]) console.error(error);
  for (const { operation } of unresolved) console.error('settle', operation.operation, operation.operationId);
  return Response.json({ failedOrders: failedOrders.length, resumed, failed: failed.length });
}
