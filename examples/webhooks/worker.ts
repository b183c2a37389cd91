/**
 * Webhooks in a Cloudflare Worker, with a D1 database: each delivery verified and typed, and one shipment for each payment.
 *
 * Run it: `npx wrangler dev worker.ts` with the secret WEBHOOK_SECRET and a D1 database bound as DB, which has
 * `CREATE TABLE shipments (session TEXT PRIMARY KEY)`, beside
 * `npx payments-client sandbox --forward-to http://localhost:8787`.
 */

import { memoryStore } from 'payments-client/stores';
import { type Receiver, Webhooks } from 'payments-client/webhooks';

/** What the Worker is bound to. `D1Database` of Cloudflare's types fits too. */
interface Bindings {
  readonly WEBHOOK_SECRET: string;
  readonly DB: {
    prepare(sql: string): { bind(...values: readonly string[]): { run(): Promise<unknown> } };
  };
}

function createReceiver({ WEBHOOK_SECRET, DB }: Bindings): Receiver {
  return new Webhooks({ secret: WEBHOOK_SECRET }).receiver({
    // Each isolate has its own, so it only spares work. What makes an effect happen once is the table's key.
    store: memoryStore(),
    on: {
      'checkout.session.completed': ({ data }) =>
        DB.prepare('INSERT INTO shipments (session) VALUES (?) ON CONFLICT DO NOTHING')
          .bind(data.object.id)
          .run(),
    },
    onError: ({ error, outcome }) => console.error(outcome, error),
  });
}

let receiver: Receiver | undefined;

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    receiver ??= createReceiver(bindings);
    return receiver.fetch(request);
  },
};
