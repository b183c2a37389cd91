import { Hono } from 'hono';
import { openShop } from './shop.js';

let shop;

const app = new Hono();
app.use(async ({ env }, next) => {
  shop ??= openShop(env); // a Worker gets its bindings with the first request
  await next();
});
app.post('/pay', async (context) => context.json(await shop.pay((await context.req.json()).order)));
app.post('/webhooks', (context) => shop.receiver.fetch(context.req.raw));

export default app;
