import type { PaymentIntent } from '../../resources/payment-intents.ts';
import type { Faults } from '../api/faults/faults.ts';
import { type PayOptions, pay } from '../domain/payments/pay.ts';
import type { State } from '../domain/state.ts';
import type { SandboxClock } from '../store/clock.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import type { StoryLog } from './story-log.ts';

/** Returns `sandbox.faults` with recording. */
export function recordedFaults(faults: Faults, storyLog: StoryLog): Faults {
  return {
    inject: (fault) => storyLog.act('faults.inject', { ...fault }, () => faults.inject(fault)),
    history: () => faults.history(),
    clear: () => storyLog.act('faults.clear', {}, () => faults.clear()),
  };
}

/** Returns `sandbox.clock` with recording. */
export function recordedClock({ clock, scheduler }: State, storyLog: StoryLog): SandboxClock {
  return {
    now: () => clock.now(),
    advance: (duration) =>
      storyLog.act('clock.advance', { advance: duration }, () => scheduler.advance(duration)),
  };
}

/** Returns `sandbox.webhooks` with recording of replays. */
export function recordedWebhooks(webhooks: SandboxWebhooks, storyLog: StoryLog): SandboxWebhooks {
  return {
    deliverTo: (target, options) => webhooks.deliverTo(target, options),
    endpoints: () => webhooks.endpoints(),
    deliveries: () => webhooks.deliveries(),
    replay: (id) => storyLog.act('webhooks.replay', { id }, () => webhooks.replay(id)),
    rotateSecret: (endpointId) => webhooks.rotateSecret(endpointId),
    dropOldSecrets: (endpointId) => webhooks.dropOldSecrets(endpointId),
  };
}

/** Does what `sandbox.pay` does, with recording. */
export function recordedPay(
  state: State,
  storyLog: StoryLog,
  id: string,
  options: PayOptions = {},
): PaymentIntent {
  return storyLog.act('pay', { id, ...options }, () => state.unit(() => pay(state, id, options)));
}
