import type { RouteName } from 'payments-client';
import { isWebAddress } from '../../base/web-address.ts';
import { defaults } from '../../domain/object-defaults.ts';
import { invalidParameter, objectNotFound } from '../../domain/problem.ts';
import type { SandboxKind, SandboxObjects, SandboxOpenObject } from '../../domain/records/records.ts';
import type { State } from '../../domain/state.ts';
import { enumerateIssues } from '../../sdk.ts';
import { endpointFields, endpointIssue, isOnThisMachine } from '../../webhooks/endpoint.ts';
import { openBody, readParameters } from '../request/parameters.ts';
import { checkoutSessionHandlers } from './checkout-sessions.ts';
import { customerHandlers } from './customers.ts';
import { type Call, type Handler, type Handlers, named, readingHandlers } from './handler.ts';
import { creditNoteHandlers, invoiceHandlers } from './invoices.ts';
import { paymentIntentHandlers } from './payment-intents.ts';
import { checkNumbers } from './payment-methods.ts';
import { billableUpdate, noticeUnbilled, unbilledDelete } from './prices.ts';
import { refundHandlers } from './refunds.ts';
import { subscriptionHandlers } from './subscriptions.ts';

/** The kinds whose fields the interface does not show. */
type OpenKind = {
  [Kind in SandboxKind]: SandboxOpenObject extends SandboxObjects[Kind] ? Kind : never;
}[SandboxKind];

interface OpenWriting {
  readonly create: Handler;
  readonly update: Handler;
  readonly delete: Handler;
}

const parameters = openBody();

function create(state: State, kind: OpenKind, { body }: Call): SandboxOpenObject {
  // The sandbox's own fields come last, so that a body cannot override them.
  return state.objects[kind].add({ ...readParameters(parameters, body), ...defaults[kind](state) });
}

function update(state: State, kind: OpenKind, call: Call): SandboxOpenObject {
  const before = named(state.objects[kind], call);
  const { id, object, livemode, created_at } = before;
  const own = { id, object, livemode, created_at, updated_at: state.clock.seconds() };
  return state.objects[kind].replace({ ...before, ...readParameters(parameters, call.body), ...own });
}

/** A repeated deletion returns the same response, so that retries are harmless. */
function remove(state: State, kind: OpenKind, { id }: Call): object {
  const collection = state.objects[kind];
  if (!collection.knows(id)) throw objectNotFound(collection.label, id);
  collection.remove(id);
  return { id, object: kind, deleted: true };
}

/** Creates the write methods of an open kind. A route that does not exist uses none of them. */
function openWriting(state: State, kind: OpenKind): OpenWriting {
  return {
    create: (call) => create(state, kind, call),
    update: (call) => update(state, kind, call),
    delete: (call) => remove(state, kind, call),
  };
}

/** Rejects remote URLs: a caller with the secret key must not make the sandbox send requests to other machines. */
function checkReach({ settings }: State, before: unknown, url: unknown): void {
  if (settings.allowRemoteWebhooks || url === before || !isWebAddress(url) || isOnThisMachine(url)) return;
  throw invalidParameter(
    'url',
    'url: expected a loopback address, got another one. Register it in code, or allow it with allowRemoteWebhooks: ' +
      'true or --allow-remote-webhooks.',
  );
}

/** Validates an endpoint's fields, and adds a secret to one that has a URL and had no secret. */
function checkedEndpoint(state: State, { id, body }: Call): unknown {
  const given = readParameters(openBody(), body);
  const issue = endpointIssue(given, state.settings.scheme);
  if (issue !== undefined) throw invalidParameter(issue.path, `${enumerateIssues([issue])}.`);
  const before = state.objects.webhook_endpoint.get(id);
  checkReach(state, before?.['url'], given['url']);
  const needsSecret = given['url'] !== undefined && before?.['secret'] === undefined;
  return needsSecret ? endpointFields(state, given) : given;
}

/** Returns write methods that pass on what a check of the body returns. */
function checking(open: OpenWriting, check: (call: Call) => unknown): OpenWriting {
  const withCheck =
    (handler: Handler): Handler =>
    (call) =>
      handler({ ...call, body: check(call) });
  return { create: withCheck(open.create), update: withCheck(open.update), delete: open.delete };
}

function priceWriting(state: State): OpenWriting {
  const open = openWriting(state, 'price');
  const update = billableUpdate(state, open.update);
  const remove = unbilledDelete(state, open.delete);
  return checking({ ...open, update, delete: remove }, ({ body }) => {
    noticeUnbilled(body);
    return body;
  });
}

/** A page size without a limit. */
const whole = Number.POSITIVE_INFINITY;

/** Creates a handler for every route. A missing handler does not compile. */
function createHandlers(state: State): Handlers {
  const { objects, settings } = state;
  const reading = readingHandlers(settings.forms);
  const open = (kind: OpenKind, size?: number) => ({
    ...reading(objects[kind], size),
    ...openWriting(state, kind),
  });
  return {
    checkoutSessions: { ...reading(objects.checkout_session), ...checkoutSessionHandlers(state) },
    paymentIntents: { ...reading(objects.payment_intent), ...paymentIntentHandlers(state) },
    charges: reading(objects.charge),
    refunds: { ...reading(objects.refund), ...refundHandlers(state) },
    customers: { ...reading(objects.customer), ...customerHandlers(state) },
    invoices: { ...reading(objects.invoice), ...invoiceHandlers(state) },
    subscriptions: { ...reading(objects.subscription), ...subscriptionHandlers(state) },
    creditNotes: { ...reading(objects.credit_note), ...creditNoteHandlers(state) },
    terminalBatches: reading(objects.terminal_batch),
    products: open('product'),
    prices: { ...reading(objects.price), ...priceWriting(state) },
    paymentMethods: {
      ...reading(objects.payment_method),
      ...checking(openWriting(state, 'payment_method'), ({ body }) => {
        checkNumbers(body);
        return body;
      }),
    },
    terminals: open('terminal'),
    settlementProfiles: reading(objects.settlement_profile),
    // Without a `limit`, the interface returns these two lists whole.
    apiKeys: open('api_key', whole),
    webhookEndpoints: {
      ...reading(objects.webhook_endpoint, whole),
      ...checking(openWriting(state, 'webhook_endpoint'), (call) => checkedEndpoint(state, call)),
    },
    accounts: reading(objects.account),
    connections: reading(objects.connection),
    accountLinks: open('account_link'),
  };
}

export function handlerFinder(state: State): (name: RouteName) => Handler {
  const handlers = new Map<string, Handler>();
  for (const [collection, methods] of Object.entries(createHandlers(state))) {
    for (const [method, handler] of Object.entries<Handler>(methods)) {
      handlers.set(`${collection}.${method}`, handler);
    }
  }
  return (name) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`There is no handler for ${name}.`);
    return handler;
  };
}
