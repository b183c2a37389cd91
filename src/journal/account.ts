/** Whose an operation is: its account, the keys of accounts in the store, and which accounts a client has. */

import { sha256Hex } from '../base/bytes.ts';
import type { Connection } from '../http/client/connection.ts';
import type { Api } from '../http/execute.ts';
import type { CallFacts } from '../http/failure/call-errors.ts';
import type { Sender } from '../http/past/call-journal.ts';
import { currentSecret, type Secret } from '../http/request/secret.ts';
import { isTestKey } from '../http/response.ts';
import type { AccountDifference } from './errors.ts';

/**
 * The service's account of an operation, as far as its record tells: where it is sent, and with which key. A rotated key looks like another
 * account, unless the journal has the name of an account.
 */
export interface Account {
  /** The base URL: its origin, and the path before `/v1`, if any. */
  readonly origin: string;
  /** `unknown` for a security key. A secret key that is not a test key counts as live (*inferred*). */
  readonly mode: 'test' | 'live' | 'unknown';
  /** The first 16 hex digits of the SHA-256 of the key. */
  readonly credential: string;
}

/** Returns the account of a call. */
export function accountOf({ origin, keyOption, credential }: Sender): Account {
  const modeOfSecretKey = isTestKey(credential) ? 'test' : 'live';
  return {
    origin,
    mode: keyOption === 'securityKey' ? 'unknown' : modeOfSecretKey,
    credential: sha256Hex(credential).slice(0, 16),
  };
}

const parts = [
  ['origin', 'base URL'],
  ['mode', 'mode'],
  ['credential', 'key'],
] as const;

/** Whether a call goes to another place than its record, or with another key: there the service does not know the idempotency key. */
export function goesElsewhere(record: Account, call: Account): boolean {
  return parts.some(([part]) => record[part] !== call[part]);
}

/**
 * Returns how the account of a record differs from that of a call; `undefined` if they are one. Without the name of an account, only equal
 * parts prove that.
 */
export function differenceOf(
  { hasAccount }: KeySpace,
  record: Account,
  call: Account,
): AccountDifference | undefined {
  const differences = parts.flatMap(([part, name]) => (record[part] === call[part] ? [] : [name]));
  const decisive = hasAccount ? differences.filter((name) => name === 'mode') : differences;
  return decisive.length === 0 ? undefined : { hasAccount, differences: decisive };
}

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

/** What an error says of the call for a key. */
const facts: CallFacts = {
  operation: 'journal',
  method: 'GET',
  movesMoney: false,
  idempotencyKey: undefined,
  attempts: 0,
};

/** The accounts of a client, one for each of its keys. Asks for each key at most once. */
export class ClientAccounts {
  readonly #connection: Connection;
  readonly #keys: Readonly<Record<Sender['keyOption'], Secret | undefined>>;
  readonly #accounts = new Map<Sender['keyOption'], Promise<Account | undefined>>();

  /** @param securityKey `undefined` for a client that only uses the JSON API. */
  constructor({ connection, secretKey }: Api, securityKey: Secret | undefined) {
    this.#connection = connection;
    this.#keys = { secretKey, securityKey };
  }

  /** Whether a record belongs to the client. Throws as `difference` does. */
  async has(space: KeySpace, record: Account): Promise<boolean> {
    return (await this.difference(space, record)) === undefined;
  }

  /**
   * Returns how a record of another account differs; `undefined` for an own one.
   *
   * @throws ConfigurationError when a function fails to give a key.
   * @throws TimeoutError when it takes longer than the client's `totalTimeout`.
   */
  async difference(space: KeySpace, record: Account): Promise<AccountDifference | undefined> {
    const isSale = record.mode === 'unknown';
    // The mode of a sale decides nothing, and the account has decided the rest.
    if (isSale && space.hasAccount) return undefined;
    const account = await this.#account(isSale ? 'securityKey' : 'secretKey');
    if (account === undefined) return { hasAccount: space.hasAccount, differences: ['key'] };
    return differenceOf(space, record, account);
  }

  #account(keyOption: Sender['keyOption']): Promise<Account | undefined> {
    const asked = this.#accounts.get(keyOption) ?? this.#ask(keyOption);
    this.#accounts.set(keyOption, asked);
    return asked;
  }

  async #ask(keyOption: Sender['keyOption']): Promise<Account | undefined> {
    const secret = this.#keys[keyOption];
    if (secret === undefined) return undefined;
    const { baseUrl, redactor, totalTimeout } = this.#connection;
    const { origin, prefix } = baseUrl;
    const credential = await currentSecret(keyOption, secret, { redactor, totalTimeout }, facts);
    return accountOf({ origin: origin + prefix, keyOption, credential });
  }
}
