/**
 * Webhooks with Fastify 5: each delivery is verified, typed, and handled once.
 *
 * Run it: `npm run example -- webhooks/fastify`. In your app: PAYMENTS_WEBHOOK_SECRET, PORT.
 */

import Fastify from 'fastify';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store: memoryStore(), // for one process; redisStore or postgresStore for more
  on: {
    // Throw if it fails: the answer is 500, and the store keeps the event.
    'checkout.session.completed': ({ data }) => console.log(`ship what ${data.object.id} paid for`),
    'refund.failed': ({ data }) => console.log(`look into ${data.object.id}: ${data.object.failure_message}`),
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

const app = Fastify();
await app.register(async (scope) => {
  // The receiver reads the bytes itself. Other routes keep their parsers.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.post('/webhooks', async (request, reply) => {
    reply.hijack();
    await receiver.node(request.raw, reply.raw);
  });
});

await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
console.log('Listening', app.server.address());

process.once('SIGTERM', async () => {
  await app.close();
  const unfinished = await receiver.drain(); // what a cut connection no longer waits for, too
  if (unfinished.length > 0) console.error('still being handled', unfinished);
});
