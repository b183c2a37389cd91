import { createServer } from 'node:http';
import { handler } from './build/handler.js';

const server = createServer(handler).listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`Listening at http://127.0.0.1:${server.address().port}`),
);
