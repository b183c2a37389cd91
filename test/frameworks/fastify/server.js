import Fastify from 'fastify';
import { openShop } from './shop.js';

const { pay, receiver } = openShop(process.env);

const app = Fastify();
app.register(async (scope) => {
  // The receiver reads the bytes itself. Other routes keep their parsers.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.post('/webhooks', async (request, reply) => {
    reply.hijack();
    await receiver.node(request.raw, reply.raw);
  });
});
app.post('/pay', ({ body }) => pay(body.order));

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`Listening at ${url}`);
