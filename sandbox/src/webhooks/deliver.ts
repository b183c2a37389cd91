import type { SignatureScheme } from 'payments-client/webhooks';
import { second } from '../base/time.ts';
import { type Forms, withTimestamps } from '../domain/forms.ts';
import type { DeliveryAttempt, SandboxDelivery, Tampering } from '../domain/records/delivery.ts';
import type { SandboxEvent } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { timings } from '../domain/timings.ts';
import { longest } from '../store/clock.ts';
import { type DeliverySender, type Outcome, reasonOf } from './delivery-sender.ts';
import { type Endpoint, readEndpoint } from './endpoint.ts';
import { newSecret } from './new-secret.ts';

/**
 * Returns the wait after a number of failed attempts, in milliseconds; `undefined` when the delivery is given up.
 *
 * @param retryAfter The value of `Retry-After`, in seconds. It is capped at the longest advance of the clock.
 */
function waitAfter(attempts: number, retryAfter = 0): number | undefined {
  const wait = timings.deliveryRetries[attempts - 1];
  return wait === undefined ? undefined : Math.min(longest, Math.max(wait, retryAfter * second));
}

interface Unsigned {
  readonly id: string;
  readonly body: string;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
}

const fields = /^\w+=[^,]*,/;
const standard = /^v1a?,/;

/**
 * Merges two signatures in one header, if its format allows: entries of Standard Webhooks, or fields of a timestamped
 * signature. Otherwise the newer one wins.
 */
function merged(newer: string, older: string): string {
  if (standard.test(newer)) return `${newer} ${older}`;
  if (!fields.test(newer)) return newer;
  return [...new Set([...newer.split(','), ...older.split(',')])].join(',');
}

/** Returns headers that sign a body with every secret, newest first. */
async function signWithAll(
  scheme: SignatureScheme,
  unsigned: Unsigned,
  secrets: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {};
  for (const secret of secrets) {
    const signed = await scheme.sign({ ...unsigned, secret });
    for (const [name, value] of Object.entries(signed)) {
      const newer = headers[name];
      headers[name] = newer === undefined || newer === value ? value : merged(newer, value);
    }
  }
  return headers;
}

/** Returns the signed body: the envelope, or the notification alone if it has none. */
function bodyOf({ bare, ...envelope }: SandboxEvent, forms: Forms): string {
  const object = withTimestamps(envelope.data.object, forms);
  return JSON.stringify(bare === true ? object : { ...envelope, data: { object } });
}

/** Returns the event with `livemode` changed to true. */
function altered(body: string): string {
  const event: unknown = JSON.parse(body);
  return JSON.stringify({ ...Object(event), livemode: true });
}

function tamperingOf({ tampering }: SandboxDelivery, attempt: number): Tampering | null {
  return attempt === 1 ? tampering : null;
}

/**
 * Returns the body that an attempt sends.
 *
 * @param attempt The number of the attempt, from 1.
 */
export function sentBody(
  event: SandboxEvent,
  delivery: SandboxDelivery,
  attempt: number,
  forms: Forms,
): string {
  const body = bodyOf(event, forms);
  return tamperingOf(delivery, attempt) === 'altered_body' ? altered(body) : body;
}

type Sent = Outcome & Pick<DeliveryAttempt, 'headers'>;

async function send(
  state: State,
  event: SandboxEvent,
  { url, secrets }: Endpoint,
  delivery: SandboxDelivery,
  sender: DeliverySender,
): Promise<Sent> {
  const attempt = delivery.attempts.length + 1;
  const { forms } = state.settings;
  const body = bodyOf(event, forms);
  const unsigned = { id: event.id, body, timestamp: sender.signatureTime() };
  const isForged = tamperingOf(delivery, attempt) === 'wrong_secret';
  const signers = isForged ? [newSecret(state)] : secrets;
  const signature = await signWithAll(state.settings.scheme, unsigned, signers);
  const headers = { 'content-type': 'application/json', 'user-agent': 'payments-sandbox', ...signature };
  return { ...(await sender.send(url, headers, sentBody(event, delivery, attempt, forms))), headers };
}

function failedToSign(error: unknown): Sent {
  return {
    status: null,
    error: `It could not be signed: ${reasonOf(error)}`,
    responseText: '',
    headers: {},
    retryAfter: undefined,
  };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns the delivery with one more attempt. */
function attempted(delivery: SandboxDelivery, sent: Sent, at: number): SandboxDelivery {
  const { retryAfter, ...result } = sent;
  const attempts = [...delivery.attempts, { at, ...result }];
  const done = { ...delivery, attempts, held: false, dueAt: null };
  if (isSuccess(sent.status)) return { ...done, status: 'delivered' };
  const wait = waitAfter(attempts.length, retryAfter);
  return wait === undefined ? { ...done, status: 'failed' } : { ...done, dueAt: at + wait };
}

function record(state: State, delivery: SandboxDelivery, sent: Sent): void {
  const { delivery: deliveries } = state.objects;
  // A restore in the meantime replaced the delivery, so this attempt is obsolete.
  if (deliveries.get(delivery.id) !== delivery) return;
  state.unit(() => deliveries.replace(attempted(delivery, sent, state.clock.now())));
}

/** Attempts a delivery. It never throws: it records failures in the delivery. */
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
  return send(state, event, endpoint, delivery, sender)
    .catch(failedToSign)
    .then((sent) => record(state, delivery, sent));
}
