import { openShop } from './shop.js';

const { pay, receiver } = openShop(process.env);

/** Answers an event of API Gateway, in the payload format 2.0. */
export async function handler({ rawPath, headers, body = '', isBase64Encoded }) {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (rawPath === '/webhooks') {
    const reply = await receiver.handle({ body: bytes, headers });
    return { statusCode: reply.status, headers: reply.headers, body: reply.body };
  }
  return pay(JSON.parse(bytes.toString()).order); // API Gateway answers 200 with its JSON
}
