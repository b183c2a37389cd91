import { isWebAddress } from '../../../base/web-address.ts';
import { invalidParameter } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { endpointProblem, isOnThisMachine } from '../../webhooks/endpoint.ts';
import { endpointFields } from '../../webhooks/register-endpoint.ts';
import { openBody, readParameters } from '../request/parameters.ts';
import type { Call, Handler } from './handler.ts';
import type { OpenWriting } from './open-collections.ts';

/** Anyone with the secret key can register endpoints; that must not let them send requests to other machines. */
function checkReach({ settings }: State, before: unknown, url: unknown): void {
  if (settings.allowRemoteWebhooks || url === before || !isWebAddress(url) || isOnThisMachine(url)) return;
  throw invalidParameter(
    'url',
    'url: expected a loopback address, got another one. Register it in code, or allow it with allowRemoteWebhooks: ' +
      'true or --allow-remote-webhooks.',
  );
}

/** A body whose fields make an endpoint, with a secret where it has an address and had none. */
function checked(state: State, { id, body }: Call): unknown {
  const given = readParameters(openBody(), body);
  const problem = endpointProblem(given, state.settings.scheme);
  if (problem !== undefined) throw invalidParameter(problem.param, `${problem.param}: ${problem.expected}.`);
  const before = state.objects.webhook_endpoint.get(id);
  checkReach(state, before?.['url'], given['url']);
  const needsSecret = given['url'] !== undefined && before?.['secret'] === undefined;
  return needsSecret ? endpointFields(state, given) : given;
}

/** The writing of webhook endpoints: as of any open kind, but for fields that deliveries rely on. */
export function webhookEndpointWriting(state: State, open: OpenWriting): OpenWriting {
  const withChecks =
    (handler: Handler): Handler =>
    (call) =>
      handler({ ...call, body: checked(state, call) });
  return { create: withChecks(open.create), update: withChecks(open.update), delete: open.delete };
}
