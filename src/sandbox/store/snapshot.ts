import { isRecord } from '../../base/json.ts';
import { refuseValue } from '../../base/refuse.ts';
import type { StoreContents } from './contents.ts';

/**
 * A snapshot of a sandbox's state. It is immutable, and `structuredClone` and `postMessage` can clone it. Its content
 * may differ between versions.
 */
export interface SandboxSnapshot {
  /** The version of the format. */
  readonly version: 1;
  /** Opaque. */
  readonly state: unknown;
}

function isContents(state: unknown): state is StoreContents {
  return isRecord(state) && ['time', 'ids', 'objects', 'due'].every((name) => Object.hasOwn(state, name));
}

/** Creates a snapshot of a store's contents. */
export function toSnapshot(state: StoreContents): SandboxSnapshot {
  return { version: 1, state };
}

/**
 * Reads a store's contents from a snapshot.
 *
 * @throws ConfigurationError for a value that is not a snapshot, or has another version.
 */
export function fromSnapshot(snapshot: SandboxSnapshot): StoreContents {
  if (isRecord(snapshot) && snapshot.version === 1 && isContents(snapshot.state)) return snapshot.state;
  const advice = 'Take a new one with this version of payments-client.';
  return refuseValue('sandbox.restore', 'a snapshot of sandbox.snapshot', snapshot, advice);
}
