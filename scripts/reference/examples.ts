/**
 * The examples of `openapi.json`: the requests of `test/support/every-method.ts`, and the objects, errors and events of the
 * sandbox. Deterministic.
 */

import { createSandbox, type Sandbox } from '../../sandbox/src/index.ts';
import { PaymentsClient } from '../../src/client.ts';
import { collectionObjects } from '../../src/resources/collection-objects.ts';
import type { ResourceName } from '../../src/resources/resource-types.ts';
import type { KnownWebhookEvent, WebhookEventType } from '../../src/webhooks/events/event.ts';
import { everyMethod } from '../../test/support/every-method.ts';
import { type Operation, operations } from './collections.ts';

type Json = Readonly<Record<string, unknown>>;

interface Exchange {
  /** The id in the path. */
  readonly id: string;
  readonly key: string | undefined;
  /** The JSON of the body; `undefined` if there is none. */
  readonly request: unknown;
  readonly response: unknown;
}

export interface Examples {
  /** Returns a call of an operation, such as `refunds.create`. */
  readonly success: (operation: string) => Exchange;
  /** A sale with a token, one with a card, and a refund at the form endpoint. */
  readonly forms: readonly Json[];
  /** The response to the first form. */
  readonly formResponse: string;
  /** Returns the error bodies with a status, by code. */
  readonly refusals: (status: number) => Readonly<Record<string, unknown>>;
  /** Returns an event of a type. */
  readonly event: (type: WebhookEventType) => KnownWebhookEvent;
}

const options = {
  startsAt: Date.UTC(2026, 0, 5),
  // Without a seed each run would create other ids.
  seed: 'examples',
  secretKey: 'sk_v1_test_example',
  securityKey: 'example_security_key',
  publicKey: 'pk_v1_test_example',
};

/** Calls every method with a transport that records the request, and answers with an object of the sandbox. */
async function recordCalls(sandbox: Sandbox): Promise<ReadonlyMap<string, Exchange>> {
  const objects = new Map<ResourceName, Json>();
  const objectOf = (kind: ResourceName): Json => {
    // Signing secrets are random even with a seed.
    const text = JSON.stringify(objects.get(kind) ?? sandbox.add(kind, {}));
    const object: Json = JSON.parse(text.replace(/whsec_\w{32}/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'));
    objects.set(kind, object);
    return object;
  };
  const responseOf = ({ returns }: Operation): Json => {
    const object = objectOf(returns.object);
    if (returns.as === 'page') return { data: [object], has_more: false };
    return returns.as === 'deletion' ? { id: object['id'], deleted: true } : object;
  };
  const calls = new Map<string, Exchange>();
  for (const operation of operations) {
    const response = responseOf(operation);
    const id = String(objectOf(collectionObjects[operation.collection])['id']);
    const fetch = async (sent: Request): Promise<Response> => {
      const text = await sent.text();
      const request: unknown = text === '' ? undefined : JSON.parse(text);
      calls.set(operation.name, {
        id,
        key: sent.headers.get('idempotency-key') ?? undefined,
        request,
        response,
      });
      return Response.json(response);
    };
    const { secretKey, securityKey } = options;
    const payments = new PaymentsClient({
      secretKey,
      securityKey,
      baseUrl: sandbox.url,
      fetch,
      validation: 'off',
    });
    await everyMethod[operation.name](payments, { operationId: 'order-1042' }, {});
  }
  return calls;
}

const buyer = {
  amount: '12.00',
  email: 'ada@shop.example',
  address1: '12 Main Street',
  zip: '90210',
  ipaddress: '192.0.2.7',
};

const forms: readonly Readonly<Record<string, string>>[] = [
  { type: 'sale', ...buyer, payment_token: 'tok_1', orderid: 'order-1048' },
  { type: 'sale', ...buyer, ccnumber: '4111111111111111', ccexp: '1230', cvv: '123' },
  { type: 'refund', transactionid: '7000000001', amount: '5.00' },
].map((form) => ({ ...form, security_key: options.securityKey }));

const idempotencyCodes = [
  'IDEMPOTENCY_KEY_TOO_LONG',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'IDEMPOTENCY_BODY_MISMATCH',
  'IDEMPOTENCY_ROUTE_CONFLICT',
  'IDEMPOTENCY_STORE_UNAVAILABLE',
] as const;

/** Returns the bodies of errors by status and code: each idempotency error, and one other for each status. */
async function recordErrors(sandbox: Sandbox): Promise<ReadonlyMap<number, Json>> {
  const errors = new Map<number, Json>();
  const send = async (
    method: string,
    path: string,
    body?: Json,
    secretKey = sandbox.secretKey,
  ): Promise<void> => {
    const headers = {
      ...(secretKey !== '' && { authorization: `Bearer ${secretKey}` }),
      ...(method === 'POST' && {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      }),
    };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await sandbox.fetch(new Request(`${sandbox.url}/v1/${path}`, init));
    const error = Object(await response.json());
    errors.set(response.status, { ...errors.get(response.status), [error.error.code]: error });
  };
  const { id } = sandbox.add('payment_intent', {});
  await send('GET', 'products?starting_after=prod_unknown');
  await send('GET', 'products', undefined, '');
  await send('GET', 'refunds/rf_unknown');
  await send('POST', `payment_intents/${id}/capture`, {});
  await send('POST', 'refunds', { payment_intent_id: id });
  await send('POST', `payment_intents/${id}/confirm`, { payment_method: 'pm_card_declined' });
  sandbox.faults.inject({ kind: 'rate_limit' });
  await send('GET', 'products');
  for (const code of idempotencyCodes) {
    sandbox.faults.inject({ kind: 'idempotency_error', code });
    await send('POST', 'customers', {});
  }
  return errors;
}

export async function recordExamples(): Promise<Examples> {
  const sandbox = createSandbox(options);
  const calls = await recordCalls(sandbox);
  const errors = await recordErrors(sandbox);
  const body = new URLSearchParams(forms[0]);
  const sold = await sandbox.fetch(new Request(`${sandbox.url}/api/transact.php`, { method: 'POST', body }));
  const eventSandbox = createSandbox(options);
  return {
    success: (operation) => {
      const call = calls.get(operation);
      if (call === undefined)
        throw new Error(`Expected a call of ${operation} in every-method.ts, got none.`);
      return call;
    },
    forms,
    formResponse: await sold.text(),
    refusals: (status) => errors.get(status) ?? {},
    event: (type) => eventSandbox.trigger(type),
  };
}
