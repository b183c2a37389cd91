import type { Call, Handler } from '../handlers/handler.ts';
import type { OpenWriting } from '../handlers/open.ts';
import { openBody, readParameters } from '../parameters.ts';
import { invalidParameter } from '../problem.ts';
import type { State } from '../state.ts';
import { endpointProblem } from './endpoint.ts';
import { endpointFields } from './register.ts';

/** A body whose fields make an endpoint, with a secret where it has an address and had none. */
function checked(state: State, { id, body }: Call): unknown {
  const given = readParameters(openBody(), body);
  const problem = endpointProblem(given, state.courier.scheme);
  if (problem !== undefined) throw invalidParameter(problem.param, `${problem.param}: ${problem.expected}.`);
  const before = state.objects.webhook_endpoint.get(id);
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
