import worker from './scenario/worker.mjs';
import { openShop } from './shop.js';

export const config = { matcher: '/middleware/:route' };

const { pay, receiver } = openShop(process.env);

const routes = {
  '/middleware/pay': async (request) => Response.json(await pay((await request.json()).order)),
  '/middleware/scenario': worker.fetch,
  '/middleware/webhooks': receiver.fetch,
};

/** Answers at paths of its own. Next.js looks for what the Edge runtime lacks in middleware above all. */
export function middleware(request) {
  return routes[request.nextUrl.pathname](request);
}
