import { checkOptions } from '../base/check-options.ts';
import { refuseId } from '../base/refuse.ts';
import * as s from '../base/schema.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { DeliverySender, WebhookTarget } from './delivery-sender.ts';
import { type Endpoint, type EndpointOptions, readEndpoint, register, subscribes } from './endpoint.ts';
import { newSecret } from './new-secret.ts';
import { capacity, planReplay } from './publish.ts';

/** A webhook endpoint. */
type SandboxEndpoint = {
  /** The id, `we_…`, of an object of kind `webhook_endpoint`. */
  readonly id: string;
  /** The URL; for a function, a placeholder. */
  readonly url: string;
  /** The event types that it subscribes to; `*` stands for all. */
  readonly events: readonly string[];
  /** The signing secret: pass it to the receiver. */
  readonly secret: string;
  /** Whether it receives deliveries. */
  readonly enabled: boolean;
};

/** Webhook endpoints and deliveries of a sandbox. */
export interface SandboxWebhooks {
  /**
   * Registers an endpoint: a URL, or a function that handles deliveries in this process. The function must not wait for
   * `sandbox.settled()` or for the clock, since these wait for the function.
   *
   * @throws ConfigurationError for an invalid URL or secret.
   *
   * @example
   * const { secret } = sandbox.webhooks.deliverTo('http://localhost:3000/webhooks', { events: ['refund.failed'] });
   */
  deliverTo(target: string | WebhookTarget, options?: EndpointOptions): SandboxEndpoint;
  /** Returns all endpoints that have a URL, those of the API included, oldest first. */
  endpoints(): readonly SandboxEndpoint[];
  /** Returns the latest deliveries, at most 10,000, oldest first. */
  deliveries(): readonly SandboxDelivery[];
  /**
   * Delivers again. The id of an event: to every endpoint that subscribes to it now. The id of a delivery: to the endpoint
   * of that delivery. No fault hits it. Await `sandbox.settled()` to complete it.
   *
   * @returns The new deliveries.
   * @throws ConfigurationError when there is no such event or delivery, or its endpoint was deleted.
   */
  replay(id: string): readonly SandboxDelivery[];
  /**
   * Gives an endpoint a new secret. Deliveries are signed with both secrets until you drop the old one, if the header of
   * the scheme can hold both: that of `bodyHmac` cannot, so only the new one signs.
   *
   * @returns The new secret.
   * @throws ConfigurationError when there is no such endpoint.
   */
  rotateSecret(endpointId: string): string;
  /**
   * Drops all secrets of an endpoint except the newest.
   *
   * @throws ConfigurationError when there is no such endpoint.
   */
  dropOldSecrets(endpointId: string): void;
}

const endpointSchema = s.optionsOf<EndpointOptions>(() => ({
  events: s.optional(s.array(s.string())),
  secret: s.optional(s.string()),
}));

function shown({ secrets: [secret], ...endpoint }: Endpoint): SandboxEndpoint {
  return { ...endpoint, secret };
}

function isEndpoint(endpoint: Endpoint | undefined): endpoint is Endpoint {
  return endpoint !== undefined;
}

export function createWebhooks(state: State, sender: DeliverySender): SandboxWebhooks {
  return new Webhooks(state, sender);
}

class Webhooks implements SandboxWebhooks {
  readonly #state: State;
  readonly #sender: DeliverySender;

  constructor(state: State, sender: DeliverySender) {
    this.#state = state;
    this.#sender = sender;
  }

  deliverTo(target: string | WebhookTarget, options: EndpointOptions = {}): SandboxEndpoint {
    checkOptions('sandbox.webhooks.deliverTo', endpointSchema, options);
    return shown(register(this.#state, this.#sender, target, options));
  }

  endpoints(): readonly SandboxEndpoint[] {
    return this.#endpoints().map(shown);
  }

  deliveries(): readonly SandboxDelivery[] {
    const { delivery } = this.#state.objects;
    return delivery.page({ limit: capacity }).toReversed();
  }

  replay(id: string): readonly SandboxDelivery[] {
    const delivery = this.#state.objects.delivery.get(id);
    const event = this.#state.objects.event.get(delivery?.eventId ?? id);
    const path = 'sandbox.webhooks.replay.id';
    if (event === undefined) return refuseId(path, 'the id of an event or a delivery', id);
    const targets =
      delivery === undefined ? this.#subscribers(event) : [this.#endpoint(path, delivery.endpointId)];
    return this.#state.unit(() => targets.map((endpoint) => planReplay(this.#state, event, endpoint)));
  }

  rotateSecret(endpointId: string): string {
    const secret = newSecret(this.#state);
    const { secrets } = this.#endpoint('sandbox.webhooks.rotateSecret.endpointId', endpointId);
    this.#change(endpointId, { secret, previous_secrets: secrets });
    return secret;
  }

  dropOldSecrets(endpointId: string): void {
    this.#endpoint('sandbox.webhooks.dropOldSecrets.endpointId', endpointId);
    this.#change(endpointId, { previous_secrets: [] });
  }

  #change(id: string, fields: Readonly<Record<string, unknown>>): void {
    const { objects, clock } = this.#state;
    const before = objects.webhook_endpoint.get(id);
    if (before === undefined) return;
    const after = { ...before, ...fields, updated_at: clock.seconds() };
    this.#state.unit(() => objects.webhook_endpoint.replace(after));
  }

  #endpoints(): readonly Endpoint[] {
    return this.#state.objects.webhook_endpoint.all().map(readEndpoint).filter(isEndpoint);
  }

  #subscribers({ type }: SandboxEvent): readonly Endpoint[] {
    return this.#endpoints().filter((endpoint) => subscribes(endpoint, type));
  }

  #endpoint(path: string, id: string): Endpoint {
    const endpoint = readEndpoint(this.#state.objects.webhook_endpoint.get(id));
    return endpoint ?? refuseId(path, 'the id of an endpoint', id);
  }
}
