import type { Faults } from '../api/faults/faults.ts';
import type { State } from '../domain/state.ts';
import type { SandboxClock } from '../store/clock.ts';
import type { SandboxWebhooks } from '../webhooks/sandbox-webhooks.ts';
import type { StoryLog } from './story-log.ts';

/** `sandbox.faults`, recorded. */
export function recordedFaults(faults: Faults, storyLog: StoryLog): Faults {
  return {
    inject: (fault) => storyLog.act('faults.inject', { ...fault }, () => faults.inject(fault)),
    history: () => faults.history(),
    clear: () => storyLog.act('faults.clear', {}, () => faults.clear()),
  };
}

/** `sandbox.clock`, recorded. */
export function recordedClock({ clock, scheduler }: State, storyLog: StoryLog): SandboxClock {
  return {
    now: () => clock.now(),
    advance: (duration) =>
      storyLog.act('clock.advance', { advance: duration }, () => scheduler.advance(duration)),
  };
}

/** `sandbox.webhooks`, with what is replayed recorded. */
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
