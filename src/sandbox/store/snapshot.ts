import type { StoreContents } from './contents.ts';

/**
 * All that a sandbox remembers at one time. What is in it may differ from version to version; it can be cloned, as
 * `structuredClone` and `postMessage` do, and it never changes.
 */
export interface SandboxSnapshot {
  /** The version of its form. */
  readonly version: 1;
  /** Not meant to be read. */
  readonly state: unknown;
}

function isContents(state: unknown): state is StoreContents {
  if (typeof state !== 'object' || state === null) return false;
  return ['time', 'ids', 'objects', 'due'].every((name) => Object.hasOwn(state, name));
}

/** Makes a snapshot of the contents of a store. */
export function toSnapshot(state: StoreContents): SandboxSnapshot {
  return { version: 1, state };
}

/**
 * Reads the contents of a store from a snapshot.
 *
 * @throws TypeError when it is none, or of another version.
 */
export function fromSnapshot({ version, state }: SandboxSnapshot): StoreContents {
  if (version === 1 && isContents(state)) return state;
  throw new TypeError(
    'sandbox.restore: expected what sandbox.snapshot gave, of the same version of payments-client.',
  );
}
