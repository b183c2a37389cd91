import type { Sender } from '../http/call-journal.ts';
import type { Connection } from '../http/client/connection.ts';
import type { CallFacts } from '../http/failure/call-errors.ts';
import { currentSecret, type Secret } from '../http/request/secret.ts';
import type { IdentityDifference } from './errors.ts';
import { differenceOf, type Identity, identityOf } from './identity.ts';
import type { KeySpace } from './key-space.ts';
import type { OperationRecord } from './record.ts';

/** The keys of a client; a client of the JSON API may have no security key. */
export type ClientKeys = Readonly<Record<Sender['keyOption'], Secret | undefined>>;

/** What an error says of the call for a key. */
const facts: CallFacts = {
  operation: 'journal',
  method: 'GET',
  movesMoney: false,
  idempotencyKey: undefined,
  attempts: 0,
};

/** Decides which records belong to a client. Asks for each of its keys at most once. */
export class OwnOperations {
  readonly #connection: Connection;
  readonly #keys: ClientKeys;
  readonly #identities = new Map<Sender['keyOption'], Promise<Identity | undefined>>();

  constructor(connection: Connection, keys: ClientKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  /** Whether a record belongs to the client. Throws as `difference` does. */
  async has(space: KeySpace, record: OperationRecord): Promise<boolean> {
    return (await this.difference(space, record)) === undefined;
  }

  /**
   * Returns how a record of another account differs; `undefined` for an own one.
   *
   * @throws ConfigurationError when a function fails to give a key.
   * @throws TimeoutError when it takes longer than the client's `totalTimeout`.
   */
  async difference(space: KeySpace, record: OperationRecord): Promise<IdentityDifference | undefined> {
    const isSale = record.mode === 'unknown';
    // The mode of a sale decides nothing, and the account has decided the rest.
    if (isSale && space.hasAccount) return undefined;
    const identity = await this.#identity(isSale ? 'securityKey' : 'secretKey');
    if (identity === undefined) return { hasAccount: space.hasAccount, differences: ['key'] };
    return differenceOf(space, record, identity);
  }

  #identity(keyOption: Sender['keyOption']): Promise<Identity | undefined> {
    const asked = this.#identities.get(keyOption) ?? this.#ask(keyOption);
    this.#identities.set(keyOption, asked);
    return asked;
  }

  async #ask(keyOption: Sender['keyOption']): Promise<Identity | undefined> {
    const secret = this.#keys[keyOption];
    if (secret === undefined) return undefined;
    const { baseUrl, redactor, totalTimeout } = this.#connection;
    const { origin, prefix } = baseUrl;
    const credential = await currentSecret(keyOption, secret, { redactor, totalTimeout }, facts);
    return identityOf({ origin: origin + prefix, keyOption, credential });
  }
}
