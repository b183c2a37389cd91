import express from 'express';
import { openShop } from './shop.js';

const { pay, receiver } = openShop(process.env);

const app = express();
app.post('/webhooks', receiver.node); // before any body parser: the signature is over the bytes
app.use(express.json());
app.post('/pay', (request, response, next) => {
  pay(request.body.order).then((payment) => response.json(payment), next);
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`Listening at http://127.0.0.1:${server.address().port}`),
);
