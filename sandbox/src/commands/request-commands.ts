import type { RouteName } from 'payments-client';
import { formPath } from '../api/operation.ts';
import { objectIn } from '../api/reply.ts';
import { isRecord } from '../base/json.ts';
import { Problem } from '../domain/problem.ts';
import type { RecordedRequest } from '../stories/entry.ts';
import { decimalsIn, writeAmount } from '../transact/amount-field.ts';
import { choice, count, fields, optional, text } from './argument.ts';
import { Command } from './command.ts';
import { methodCall, rejectionText, type ServiceCall, type ServiceReply, sendCall } from './service-call.ts';
import type { World } from './world.ts';

function tell(reply: ServiceReply): string {
  if (reply.status >= 400) return rejectionText(reply);
  const object = objectIn(reply.body);
  const state = object?.status === undefined ? 'exists' : `is ${object.status}`;
  // A form has no object in its reply.
  const result = object === undefined ? '' : `: '${object.id}' ${state}`;
  const replayed = reply.isReplayed ? ' It is a replay of the first reply.' : '';
  return `The service replied ${reply.status}${result}.${replayed}`;
}

function wholeRequest({ storyLog }: World, number: number): RecordedRequest {
  const entry = storyLog.entries.find((one) => one.number === number);
  if (entry?.kind === 'request' && entry.isWhole) return entry;
  const message = `Request ${number} was not recorded completely, so it cannot be repeated.`;
  throw new Problem(409, 'REQUEST_NOT_KEPT', message);
}

export const repeatCommand = new Command({
  name: 'requests.repeat',
  summary: 'Sends a recorded request again, with the same idempotency key.',
  // The recording has the request.
  isRecorded: false,
  isInShell: false,
  args: { number: count('The number of its entry.', 1, Number.MAX_SAFE_INTEGER) },
  run: (world, { number }: { readonly number: number }) => {
    const { path, query, request, idempotencyKey } = wholeRequest(world, number);
    return sendCall(world, {
      path: query === '' ? path : `${path}?${query}`,
      body: request.body ?? '',
      headers: {
        'content-type': request.headers['content-type'] ?? 'application/json',
        ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      },
    });
  },
  tell,
});

/** The methods that a story offers. */
const methods = [
  'refunds.create',
  'refunds.retry',
  'paymentIntents.capture',
  'paymentIntents.cancel',
  'checkoutSessions.expire',
  'subscriptions.cancel',
] as const satisfies readonly RouteName[];
const forms = ['transact.void', 'transact.refund'] as const;
const operations = [...methods, ...forms];

type Method = (typeof methods)[number];
type Form = (typeof forms)[number];

type Args = {
  readonly operation: Method | Form;
  readonly id?: string | undefined;
  readonly body?: object | undefined;
};

const isForm = (operation: Method | Form): operation is Form => forms.some((one) => one === operation);

/** A form about an earlier transaction. `body.amount` is in minor units, as everywhere but in forms. */
function formCall({ state, securityKey }: World, operation: Form, { id = '', body }: Args): ServiceCall {
  const { formAmounts, formEncoding } = state.settings.forms;
  const amount = isRecord(body) ? Number(body['amount']) : undefined;
  const decimals = decimalsIn(state.objects.transaction.get(id)?.amount ?? '');
  const form = formEncoding === 'multipart' ? new FormData() : new URLSearchParams();
  form.set('type', operation === 'transact.void' ? 'void' : 'refund');
  form.set('transactionid', id);
  form.set('security_key', securityKey);
  if (amount !== undefined) form.set('amount', writeAmount(amount, decimals, formAmounts));
  return { path: formPath, body: form, headers: {} };
}

export const sendCommand = new Command({
  name: 'requests.send',
  summary: 'Calls a method of the service on behalf of the app, as a new operation.',
  isRecorded: false,
  isInShell: false,
  args: {
    operation: choice('The method.', { what: `one of ${operations.join(', ')}`, words: operations }),
    id: optional(text('The id in its path, or the transaction. Default: none.')),
    body: optional(fields('The parameters. Default: none.')),
  },
  run: (world, args: Args) => {
    const { operation } = args;
    if (isForm(operation)) return sendCall(world, formCall(world, operation, args));
    const key = `dashboard-${crypto.randomUUID()}`;
    return sendCall(world, methodCall(world.state, operation, { ...args, key }));
  },
  tell,
});
