/** Passes `receiver.fetch` itself to the server of Deno or Bun, and delivers an event to it, correctly and incorrectly signed. */

import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

type Handle = (request: Request) => Promise<Response>;

/** What this program uses of the two runtimes. */
declare const Deno:
  | undefined
  | { serve(options: object, handle: Handle): { addr: { port: number }; shutdown(): Promise<void> } };
declare const Bun: { serve(options: object): { port: number; stop(): Promise<void> } };

function serve(fetch: Handle) {
  const options = { hostname: '127.0.0.1', port: 0, onListen() {} };
  if (typeof Deno === 'undefined') {
    const server = Bun.serve({ ...options, fetch });
    return { port: server.port, close: () => server.stop() };
  }
  const server = Deno.serve(options, fetch);
  return { port: server.addr.port, close: () => server.shutdown() };
}

const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', validation: 'off' });
const handled: string[] = [];
const receiver = webhooks.receiver({
  store: memoryStore(),
  on: { 'customer.created': ({ id }) => void handled.push(id) },
});
const body = JSON.stringify({ id: 'evt_1', type: 'customer.created', livemode: false, data: { object: {} } });

const { port, close } = serve(receiver.fetch);
const deliver = async (headers: Readonly<Record<string, string>>) => {
  const response = await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
};
console.log([await deliver(await webhooks.sign(body)), await deliver({}), ...handled].join(' '));
await close();
