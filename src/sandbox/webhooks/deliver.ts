import type { Forms } from '../domain/forms.ts';
import type { SandboxDelivery, Tampering } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/event.ts';
import type { State } from '../domain/state.ts';
import { withTimestamps } from '../domain/timestamps.ts';
import { type DeliverySender, type Outcome, reasonOf } from './delivery-sender.ts';
import { type Endpoint, readEndpoint } from './endpoint.ts';
import { newSecret } from './new-secret.ts';
import { waitAfter } from './retry-schedule.ts';
import { signWithAll } from './sign.ts';

/** The body that is sent: the envelope, or the notification alone where it comes bare. */
function bodyOf({ bare, ...envelope }: SandboxEvent, forms: Forms): string {
  const object = withTimestamps(envelope.data.object, forms);
  return JSON.stringify(bare === true ? object : { ...envelope, data: { object } });
}

/** The same event, which now claims to be about live money. */
function altered(body: string): string {
  const event: unknown = JSON.parse(body);
  return JSON.stringify({ ...Object(event), livemode: true });
}

async function send(
  state: State,
  event: SandboxEvent,
  { url, secrets }: Endpoint,
  tampering: Tampering | null,
  sender: DeliverySender,
): Promise<Outcome> {
  const body = bodyOf(event, state.settings.forms);
  const unsigned = { id: event.id, body, timestamp: sender.timeFor(url) };
  const signers = tampering === 'wrong_secret' ? [newSecret(state)] : secrets;
  const signature = await signWithAll(state.settings.scheme, unsigned, signers);
  const headers = { 'content-type': 'application/json', 'user-agent': 'payments-sandbox', ...signature };
  return sender.send(url, headers, tampering === 'altered_body' ? altered(body) : body);
}

function failedToSign(error: unknown): Outcome {
  return {
    status: null,
    error: `It could not be signed: ${reasonOf(error)}`,
    responseText: '',
    retryAfter: undefined,
  };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The delivery after one more attempt. */
function attempted(delivery: SandboxDelivery, outcome: Outcome, at: number): SandboxDelivery {
  const { retryAfter, ...result } = outcome;
  const attempts = [...delivery.attempts, { at, ...result }];
  const done = { ...delivery, attempts, held: false, dueAt: null };
  if (isSuccess(outcome.status)) return { ...done, status: 'delivered' };
  const wait = waitAfter(attempts.length, retryAfter);
  return wait === undefined ? { ...done, status: 'failed' } : { ...done, dueAt: at + wait };
}

function record(state: State, delivery: SandboxDelivery, outcome: Outcome): void {
  const { delivery: deliveries } = state.objects;
  // Where the state was put back meanwhile, this attempt belongs to a future that is gone.
  if (deliveries.get(delivery.id) !== delivery) return;
  state.unit(() => deliveries.replace(attempted(delivery, outcome, state.clock.now())));
}

/** Makes one attempt to deliver. It never fails: what went wrong is recorded in the delivery. */
export function deliver(
  state: State,
  delivery: SandboxDelivery,
  sender: DeliverySender,
): Promise<void> | void {
  const event = state.objects.event.get(delivery.eventId);
  const endpoint = readEndpoint(state.objects.webhook_endpoint.get(delivery.endpointId));
  if (event === undefined || endpoint === undefined || !endpoint.enabled) {
    state.objects.delivery.replace({ ...delivery, status: 'canceled', dueAt: null });
    return undefined;
  }
  const tampering = delivery.attempts.length === 0 ? delivery.tampering : null;
  return send(state, event, endpoint, tampering, sender)
    .catch(failedToSign)
    .then((outcome) => record(state, delivery, outcome));
}
