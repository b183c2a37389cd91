import { sha256Hex } from '../base/bytes.ts';

/** A space of a store with the operations of an account, or of all journals without one. */
export interface KeySpace {
  readonly name: string;
  /** Whether it has the operations of one account. */
  readonly hasAccount: boolean;
}

/** An operation's key, in one of the spaces. */
export interface StoreKey {
  readonly space: KeySpace;
  /** The idempotency key, or for a sale what would be. */
  readonly key: string;
}

/** The space of journals without an account. */
const plainSpace: KeySpace = { name: 'operation', hasAccount: false };

/**
 * Returns the spaces in which a journal looks for an operation. It records new ones in the first. The second holds what was recorded
 * before the journal had an account. The hash makes a name of any account, which may have a `/`.
 */
export function keySpacesOf(account: string | undefined): readonly [KeySpace, ...KeySpace[]] {
  if (account === undefined) return [plainSpace];
  return [{ name: `${plainSpace.name}.${sha256Hex(account)}`, hasAccount: true }, plainSpace];
}

/** Returns the text of a key, as the store has it. */
export function textOf({ space, key }: StoreKey): string {
  return `${space.name}/${key}`;
}

/** Returns the key in a space with a text. */
export function keyIn(space: KeySpace, text: string): StoreKey {
  return { space, key: text.slice(space.name.length + 1) };
}
