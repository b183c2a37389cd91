import { errorCode } from '../base/thrown.ts';
import {
  type DeliveryListener,
  type Finding,
  listenForDelivery,
  notSeen,
  readDelivery,
  readWebhookForm,
} from '../probe/index.node.ts';
import type { Console } from './console.ts';
import { readInputFile } from './input-file.ts';
import { type ProbeGiven, requiredSecret } from './probe-options.ts';
import { Failure } from './problems.ts';

/** How long to wait for a delivery, in ms. */
const deliveryTimeout = 5 * 60_000;

async function readRecorded(path: string, secret: string): Promise<Finding> {
  const delivery = readDelivery(await readInputFile('--webhook', path));
  if (delivery !== undefined) return readWebhookForm(delivery, secret);
  throw new Failure(
    'FILE_NOT_USABLE',
    `expected headers, an empty line and a body in ${path}, got another text.`,
  );
}

/** Finds out how deliveries are signed. */
export interface WebhookReader {
  /** Returns immediately after a stop, since nothing is written then. */
  read(isStopped: boolean, signal: AbortSignal): Promise<Finding | undefined>;
  close(): void;
}

async function listen(port: number): Promise<DeliveryListener> {
  try {
    return await listenForDelivery(port);
  } catch (error) {
    throw new Failure(
      'PORT_NOT_USABLE',
      `expected a free port for --webhook, got ${port} (${String(errorCode(error))}). Choose another with --webhook-port.`,
    );
  }
}

async function startListening(port: number, secret: string, console: Console): Promise<WebhookReader> {
  const listener = await listen(port);
  console.tell(
    `Have the service deliver an event to ${listener.url}, through a tunnel if it is not on this machine.`,
  );
  return {
    async read(isStopped, signal) {
      if (!isStopped) {
        console.rewrite('');
        console.tell('Waiting up to 5 minutes for a delivery.');
      }
      const delivery = await listener.first(isStopped ? 0 : deliveryTimeout, signal);
      return delivery === undefined ? notSeen('no delivery arrived') : readWebhookForm(delivery, secret);
    },
    close: () => listener.close(),
  };
}

/** Starts to find out how deliveries are signed. The result is read after all requests. */
export async function startWebhook(given: ProbeGiven, console: Console): Promise<WebhookReader | undefined> {
  const { webhook } = given;
  if (webhook === undefined) return undefined;
  const secret = requiredSecret('PAYMENTS_WEBHOOK_SECRET', 'a signing secret with --webhook');
  if (webhook === true) return startListening(given.webhookPort ?? 0, secret, console);
  const finding = await readRecorded(webhook, secret);
  return { read: async () => finding, close: () => {} };
}
