/** Prepares a sandbox for the scenario, with a delivery to verify and with connections that break. */

import type { Sandbox } from 'payments-client-sandbox';

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The ways in which a response breaks after its head. */
export const brokenKinds = ['cut', 'reset', 'cutChunk', 'badChunk', 'badGzip'] as const;

/** The addresses and credentials that a program gets, as JSON. */
export interface Service {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  readonly delivery: Delivery;
  /** A local URL where nothing listens. */
  readonly closedUrl: string;
  /** A service with a path for each kind of broken response. */
  readonly brokenUrl: string;
}

/** Returns a list to which each new delivery of an event type is added. */
export function recordDeliveries(sandbox: Sandbox, type: string): readonly Delivery[] {
  const deliveries: Delivery[] = [];
  const record = async (request: Request) => {
    deliveries.push({ body: await request.text(), headers: Object.fromEntries(request.headers) });
    return new Response();
  };
  sandbox.webhooks.deliverTo(record, { secret: webhookSecret, events: [type] });
  return deliveries;
}

/** Runs the scenario with a sandbox. Fails unless it charged exactly three cards: a fourth charge would be a duplicate. */
export async function runAgainst(
  sandbox: Sandbox,
  urls: Pick<Service, 'closedUrl' | 'brokenUrl'>,
  scenario: (service: Service) => Promise<string>,
  charges = 3,
): Promise<string> {
  const deliveries = recordDeliveries(sandbox, 'refund.failed');
  sandbox.trigger('refund.failed');
  await sandbox.settled();
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('Expected a delivery of refund.failed, got none.');
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'refunds.create', times: 2 });
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit', skip: 1 });
  const { url: baseUrl, secretKey, securityKey } = sandbox;
  const { closedUrl, brokenUrl } = urls;
  const printed = await scenario({ baseUrl, secretKey, securityKey, delivery, closedUrl, brokenUrl });
  const { length } = sandbox.transactions;
  if (length !== charges) throw new Error(`Expected ${charges} charges, got ${length}.`);
  return printed;
}
