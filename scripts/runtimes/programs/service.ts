/** Prepares a sandbox for every program, with a delivery to verify and with connections that break. */

import type { Sandbox } from 'payments-client/sandbox';

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** The ways in which a response breaks after its head. */
export const brokenKinds = ['cut', 'reset', 'cutChunk', 'badChunk', 'badGzip'] as const;
export type BrokenKind = (typeof brokenKinds)[number];

/** Services that fail. */
export interface FailingUrls {
  /** A local URL where nothing listens. */
  readonly closedUrl: string;
  /** A service with a path for each kind of broken response. */
  readonly brokenUrl: string;
}

/** The addresses and credentials that a program gets, as JSON. */
export interface Service extends FailingUrls {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  readonly delivery: Delivery;
}

/** The observations of a program. They come back as JSON, and are compared with the expected ones. */
export type Observations = Readonly<Record<string, unknown>>;

/** Returns a list to which each new delivery of an event type is added. */
export function recordDeliveries(sandbox: Sandbox, type: string): readonly Delivery[] {
  const deliveries: Delivery[] = [];
  const record = async (request: Request) => {
    deliveries.push({
      body: await request.text(),
      headers: Object.fromEntries(request.headers),
      secret: webhookSecret,
    });
    return new Response();
  };
  sandbox.webhooks.deliverTo(record, { secret: webhookSecret, events: [type] });
  return deliveries;
}

async function prepare(sandbox: Sandbox, { closedUrl, brokenUrl }: FailingUrls): Promise<Service> {
  const deliveries = recordDeliveries(sandbox, 'refund.failed');
  sandbox.trigger('refund.failed');
  await sandbox.settled();
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('Expected a delivery of refund.failed, got none.');
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'refunds.create', times: 2 });
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit', skip: 1 });
  const { url: baseUrl, secretKey, securityKey } = sandbox;
  return { baseUrl, secretKey, securityKey, delivery, closedUrl, brokenUrl };
}

/**
 * Prepares a sandbox and runs a scenario against it.
 *
 * @returns The observations, with the number of card charges.
 */
export async function runAgainst(
  sandbox: Sandbox,
  urls: FailingUrls,
  scenario: (service: Service) => Promise<Observations>,
): Promise<Observations> {
  const observed = await scenario(await prepare(sandbox, urls));
  return { ...observed, charges: sandbox.transactions.length };
}
