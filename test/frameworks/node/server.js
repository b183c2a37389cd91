import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openShop } from './shop.js';

const { pay, receiver } = openShop(process.env);

async function answerPayment(request, response) {
  const { order } = await json(request);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await pay(order)));
}

const server = createServer((request, response) =>
  request.url === '/webhooks' ? receiver.node(request, response) : answerPayment(request, response),
).listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`Listening at http://127.0.0.1:${server.address().port}`),
);
