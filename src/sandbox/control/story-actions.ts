import { type RouteName, routes } from '../../resources/routes.ts';
import { Problem } from '../domain/problem.ts';
import type { RecordedRequest } from '../stories/entry.ts';
import { recordedPay } from '../stories/recorded-facade.ts';
import type { StoryAction } from '../stories/story.ts';
import type { ControlContext } from './control-context.ts';

type Act = (sandbox: ControlContext, target: string) => Promise<string>;

interface ServiceCall {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function textOf(reply: unknown): string {
  const error: unknown = Object(reply).error;
  return String(Object(error).message ?? Object(reply).message ?? 'no reason given');
}

/** Sends a request to the service on behalf of the app. Returns a description of the result. */
async function call(sandbox: ControlContext, { path, body, headers }: ServiceCall): Promise<string> {
  const request = new Request(new URL(path, 'http://localhost'), {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${sandbox.secretKey}` },
    body,
  });
  const response = await sandbox.serve(request);
  const reply: unknown = await response.json().catch(() => undefined);
  const { id, status } = Object(reply);
  if (!response.ok) return `The service rejected the request with ${response.status}: ${textOf(reply)}`;
  const replayed =
    response.headers.get('idempotent-replayed') === 'true' ? ' It is a replay of the first reply.' : '';
  return `The service replied ${response.status}: '${id}' ${status === undefined ? 'exists' : `is ${status}`}.${replayed}`;
}

function requestOf({ storyLog }: ControlContext, target: string): RecordedRequest {
  const entry = storyLog.entries.find(({ number }) => String(number) === target);
  if (entry?.kind === 'request' && entry.isWhole) return entry;
  throw new Problem(
    409,
    'REQUEST_NOT_KEPT',
    `Request ${target} was not recorded completely, so it cannot be repeated.`,
  );
}

const repeat: Act = (sandbox, target) => {
  const { path, query, request, idempotencyKey } = requestOf(sandbox, target);
  return call(sandbox, {
    path: query === '' ? path : `${path}?${query}`,
    body: request.body ?? '',
    headers: {
      'content-type': request.headers['content-type'] ?? 'application/json',
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
  });
};

/** Returns an action that calls a route with a new idempotency key, since each click is a new operation. */
function followUp(name: RouteName, bodyOf: (id: string) => object = () => ({})): Act {
  return (sandbox, target) => {
    const { path } = sandbox.state.settings.forms.routes.get(name) ?? routes[name];
    return call(sandbox, {
      path: path.replace('{id}', encodeURIComponent(target)),
      body: JSON.stringify(bodyOf(target)),
      headers: { 'content-type': 'application/json', 'idempotency-key': `dashboard-${crypto.randomUUID()}` },
    });
  };
}

const payAsBuyer: Act = async ({ state, storyLog }, target) => {
  const intent = recordedPay(state, storyLog, target);
  return `The payment '${intent.id}' is ${intent.status}.`;
};

const redeliver: Act = async ({ webhooks }, target) => {
  const planned = webhooks.replay(target).length;
  return planned === 1 ? 'The delivery is on its way.' : `${planned} deliveries are on their way.`;
};

const acts: Readonly<Record<StoryAction['name'], Act>> = {
  repeat,
  pay: payAsBuyer,
  redeliver,
  refund: followUp('refunds.create', (id) => ({ charge_id: id })),
  'retry refund': followUp('refunds.retry'),
  capture: followUp('paymentIntents.capture'),
  cancel: followUp('paymentIntents.cancel'),
  expire: followUp('checkoutSessions.expire'),
};

/** The names of the actions. */
const actionNames = Object.keys(acts);

function isAction(name: string): name is StoryAction['name'] {
  return Object.hasOwn(acts, name);
}

/**
 * Runs an action of a story.
 *
 * @returns A sentence that describes the result.
 * @throws Problem for an unknown action.
 */
export async function actOnStory(sandbox: ControlContext, name: string, target: string): Promise<string> {
  if (isAction(name)) return acts[name](sandbox, target);
  throw new Problem(
    400,
    'INVALID_PARAMETER',
    `name: expected one of ${actionNames.join(', ')}; got '${name}'.`,
    'name',
  );
}
