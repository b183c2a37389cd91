/** Calls the bundled handler as API Gateway does: an event for each request, its body in base64. */

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { handler } from './dist/handler.mjs';

async function answer(request, response) {
  const reply = await handler({
    version: '2.0',
    routeKey: '$default',
    rawPath: request.url,
    rawQueryString: '',
    headers: request.headers,
    requestContext: { http: { method: request.method, path: request.url } },
    body: (await buffer(request)).toString('base64'),
    isBase64Encoded: true,
  });
  const { statusCode, headers, body } = reply.statusCode
    ? reply
    : { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(reply) };
  response.writeHead(statusCode, headers).end(body);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(502).end(String(error)));
}).listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`Listening at http://127.0.0.1:${server.address().port}`),
);
