import type { DeviceSession } from '../domain/records/form-records.ts';
import type { State } from '../domain/state.ts';

/** Creates a device session. */
export function addDeviceSession({ ids, clock, objects }: State): DeviceSession {
  return objects.device_session.add({ id: ids.next('rs'), createdAt: clock.now() });
}
