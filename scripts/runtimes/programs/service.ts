/** The sandbox for every program, with a delivery to verify and with connections that break. */

import type { Sandbox } from 'payments-client/sandbox';

/** What signs the deliveries. */
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A delivery of a webhook as it came. */
export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** What a program needs to know of the service. It goes to other processes as JSON. */
export interface Service {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  readonly delivery: Delivery;
  /** An address of this machine where nobody listens. */
  readonly closedUrl: string;
}

/** What a program saw. It comes back as JSON, and is held against what must come. */
export type Seen = Readonly<Record<string, unknown>>;

/** Keeps the deliveries of a type of event, from now on. */
export function keepDeliveries(sandbox: Sandbox, type: string): readonly Delivery[] {
  const deliveries: Delivery[] = [];
  const keep = async (request: Request) => {
    deliveries.push({
      body: await request.text(),
      headers: Object.fromEntries(request.headers),
      secret: webhookSecret,
    });
    return new Response();
  };
  sandbox.webhooks.deliverTo(keep, { secret: webhookSecret, events: [type] });
  return deliveries;
}

async function prepare(sandbox: Sandbox, closedUrl: string): Promise<Service> {
  const deliveries = keepDeliveries(sandbox, 'refund.failed');
  sandbox.trigger('refund.failed');
  await sandbox.settled();
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('The sandbox delivered nothing.');
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'refunds.create', times: 2 });
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit', skip: 1 });
  const { url: baseUrl, secretKey, securityKey } = sandbox;
  return { baseUrl, secretKey, securityKey, delivery, closedUrl };
}

/**
 * Runs a program's story with a sandbox.
 *
 * @returns The program's observations, and how often the sandbox charged a card meanwhile.
 */
export async function beside(
  sandbox: Sandbox,
  closedUrl: string,
  tell: (service: Service) => Promise<Seen>,
): Promise<Seen> {
  const seen = await tell(await prepare(sandbox, closedUrl));
  return { ...seen, charges: sandbox.transactions.length };
}
