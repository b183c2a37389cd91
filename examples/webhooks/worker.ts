/**
 * Webhooks in a Cloudflare Worker, with a D1 database: each delivery is verified and typed, and each payment ships once.
 *
 * Run it: `npx wrangler dev worker.ts` with the secret PAYMENTS_WEBHOOK_SECRET and a D1 database bound as DB, which has
 * `CREATE TABLE shipments (session TEXT PRIMARY KEY)`, with `npx payments-client sandbox --forward-to http://localhost:8787`.
 */

import { memoryStore } from 'payments-client/stores';
import { type Receiver, Webhooks } from 'payments-client/webhooks';

/** The bindings of the Worker. `D1Database` of Cloudflare's types matches them too. */
interface Bindings {
  readonly PAYMENTS_WEBHOOK_SECRET: string;
  readonly DB: {
    prepare(sql: string): { bind(...values: readonly string[]): { run(): Promise<unknown> } };
  };
}

function createReceiver({ PAYMENTS_WEBHOOK_SECRET, DB }: Bindings): Receiver {
  return new Webhooks({ secret: PAYMENTS_WEBHOOK_SECRET }).receiver({
    // Each isolate has its own store, which only saves work. The primary key of the table prevents a second shipment.
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
