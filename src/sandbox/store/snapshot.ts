import type { StoreContents } from './contents.ts';

/**
 * A snapshot of a sandbox's state. It is immutable, and `structuredClone` and `postMessage` can clone it. Its content
 * may differ between versions.
 */
export type SandboxSnapshot = {
  /** The version of the format. */
  readonly version: 1;
  /** Opaque. */
  readonly state: unknown;
};

function isContents(state: unknown): state is StoreContents {
  if (typeof state !== 'object' || state === null) return false;
  return ['time', 'ids', 'objects', 'due'].every((name) => Object.hasOwn(state, name));
}

/** Creates a snapshot of a store's contents. */
export function toSnapshot(state: StoreContents): SandboxSnapshot {
  return { version: 1, state };
}

/**
 * Reads a store's contents from a snapshot.
 *
 * @throws TypeError for a value that is not a snapshot, or has another version.
 */
export function fromSnapshot({ version, state }: SandboxSnapshot): StoreContents {
  if (version === 1 && isContents(state)) return state;
  throw new TypeError(
    'sandbox.restore: expected a snapshot of sandbox.snapshot, of the same version of payments-client.',
  );
}
