import type { State } from '../domain/state.ts';

/** What the browser script has collected of a buyer's device: that it did is all that is remembered. */
export interface DeviceSession {
  /** The session id, which a transaction takes as `risk_session_id`. */
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** Makes a session. */
export function addDeviceSession({ ids, clock, objects }: State): DeviceSession {
  return objects.device_session.add({ id: ids.next('rs'), createdAt: clock.now() });
}
