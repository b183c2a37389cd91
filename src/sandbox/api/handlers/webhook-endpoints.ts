import { formatIssue } from '../../../base/issue.ts';
import { isWebAddress } from '../../../base/web-address.ts';
import { invalidParameter } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { endpointIssue, isOnThisMachine } from '../../webhooks/endpoint.ts';
import { endpointFields } from '../../webhooks/register-endpoint.ts';
import { openBody, readParameters } from '../request/parameters.ts';
import type { Call, Handler } from './handler.ts';
import type { OpenWriting } from './open-collections.ts';

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
function checked(state: State, { id, body }: Call): unknown {
  const given = readParameters(openBody(), body);
  const issue = endpointIssue(given, state.settings.scheme);
  if (issue !== undefined) throw invalidParameter(issue.path, `${formatIssue(issue)}.`);
  const before = state.objects.webhook_endpoint.get(id);
  checkReach(state, before?.['url'], given['url']);
  const needsSecret = given['url'] !== undefined && before?.['secret'] === undefined;
  return needsSecret ? endpointFields(state, given) : given;
}

/** The write methods of webhook endpoints: those of open kinds, with validation of the fields that deliveries use. */
export function webhookEndpointWriting(state: State, open: OpenWriting): OpenWriting {
  const withChecks =
    (handler: Handler): Handler =>
    (call) =>
      handler({ ...call, body: checked(state, call) });
  return { create: withChecks(open.create), update: withChecks(open.update), delete: open.delete };
}
