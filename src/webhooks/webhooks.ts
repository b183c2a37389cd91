import { brandClass } from '../base/errors.ts';
import { frameworkOf } from './receiver/adapters/caller.ts';
import { refuseCall } from './receiver/adapters/guard.ts';
import type { AnyReceiverOptions, ReceiverOptions, TransactionReceiverOptions } from './receiver/options.ts';
import { Receiver } from './receiver/receiver.ts';
import { WebhookVerifier } from './verifier.ts';

/** It has no `onError` yet, so only the response describes the error. */
const mountedMaker = { name: 'webhooks.receiver', expected: 'the options of a receiver' };

/**
 * Verifies the deliveries of the service's webhooks, reads the events in them, and makes receivers that handle each event once.
 *
 * @example
 * const webhooks = new Webhooks(); // with PAYMENTS_WEBHOOK_SECRET
 * const event = await webhooks.verify(rawBody, request.headers);
 * if (event.type === 'refund.failed') alert(event.data.object.failure_message);
 */
export class Webhooks extends WebhookVerifier {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'Webhooks');

  /**
   * Creates a receiver that handles each event once: it verifies, claims, calls your handler, and completes. Mount its
   * `fetch` or `node`.
   *
   * @throws ConfigurationError for an unknown event type or a wrong option.
   *
   * @example
   * const receiver = webhooks.receiver({
   *   store: memoryStore(),
   *   on: { 'refund.failed': (event) => alert(event.data.object.id) },
   * });
   * app.post('/webhooks', receiver.node); // Express, before any body parser
   */
  receiver<StoreClient, Client extends StoreClient = StoreClient>(
    options: TransactionReceiverOptions<Client, StoreClient>,
  ): Receiver<Client>;
  receiver<Client = never>(options: ReceiverOptions<Client>): Receiver<Client>;
  receiver<Client>(options: AnyReceiverOptions<Client>, ...rest: unknown[]): unknown {
    const given = [options, ...rest];
    if (frameworkOf(given) !== undefined) return refuseCall(mountedMaker, given, () => undefined);
    return new Receiver(WebhookVerifier.optionsOf(this), options);
  }
}
