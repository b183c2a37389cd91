import type { StateImage } from './contents.ts';

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

function isImage(state: unknown): state is StateImage {
  if (typeof state !== 'object' || state === null) return false;
  return ['time', 'ids', 'objects', 'plan'].every((name) => Object.hasOwn(state, name));
}

/** The snapshot of a state. */
export function toSnapshot(state: StateImage): SandboxSnapshot {
  return { version: 1, state };
}

/**
 * The state of a snapshot.
 *
 * @throws TypeError when it is none, or of another version.
 */
export function fromSnapshot({ version, state }: SandboxSnapshot): StateImage {
  if (version === 1 && isImage(state)) return state;
  throw new TypeError(
    'sandbox.restore: expected what sandbox.snapshot gave, of the same version of payments-client.',
  );
}
