/** The keys of operations in a store with other contents. */
export interface KeySpace {
  readonly prefix: string;
  /** Whether the prefix names the account. */
  readonly hasAccount: boolean;
}

/** An operation's key, in one of the spaces. */
export interface StoreKey {
  readonly space: KeySpace;
  /** The idempotency key, or for a sale what would be. */
  readonly key: string;
}

/** The space of journals without an account. */
const plainSpace: KeySpace = { prefix: 'operation:', hasAccount: false };

/** The longest name of an account, in characters. With an idempotency key after it, it fits the key of every store. */
export const maxAccountLength = 200;

/**
 * Returns the spaces in which a journal looks for an operation. It records new ones in the first. The second holds what was recorded
 * before the journal had an account. The length makes the prefix of one account never that of another.
 */
export function keySpacesOf(account: string | undefined): readonly [KeySpace, ...KeySpace[]] {
  if (account === undefined) return [plainSpace];
  return [{ prefix: `operation@${account.length}:${account}:`, hasAccount: true }, plainSpace];
}

/** Returns the text of a key, as the store has it. */
export function textOf({ space, key }: StoreKey): string {
  return space.prefix + key;
}
