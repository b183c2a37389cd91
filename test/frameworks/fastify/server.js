import Fastify from 'fastify';
import { openShop } from './shop.js';

const { pay, receiver } = openShop(process.env);

const app = Fastify();
app.register(receiver.fastify({ path: '/webhooks' })); // other routes keep their parsers
app.post('/pay', ({ body }) => pay(body.order));

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`Listening at ${url}`);
