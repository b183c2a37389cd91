import { createHash } from 'node:crypto';
import type { Choices } from './choices.ts';

/** A merchant of the service. Both use the same ids for their orders. */
export type Merchant = 'first' | 'other';

/** The keys of a merchant. */
export interface Keys {
  readonly secretKey: string;
  readonly securityKey: string;
}

/** The keys of the merchant that the sandbox does not know. */
const otherKeys: Keys = { secretKey: 'sk_v1_test_of_the_other', securityKey: 'security-key-of-the-other' };

/** Returns the keys of a merchant. The first one has those of the sandbox. */
export function keysOf(merchant: Merchant, first: Keys): Keys {
  return merchant === 'first' ? first : otherKeys;
}

/** Returns the merchant whose key a request carries. */
export function merchantIn(headers: Headers, body: string): Merchant {
  const key = headers.get('authorization') ?? new URLSearchParams(body).get('security_key') ?? '';
  return Object.values(otherKeys).some((own) => key.endsWith(own)) ? 'other' : 'first';
}

const otherCredentials = Object.values(otherKeys).map((key) =>
  createHash('sha256').update(key).digest('hex').slice(0, 16),
);

/** Returns the merchant that a record of the journal belongs to. */
export function merchantOfRecord(credential: unknown): Merchant {
  return otherCredentials.some((own) => own === credential) ? 'other' : 'first';
}

/** Returns the name of a merchant's order: its id, and whose it is. */
export function nameOf(id: string, merchant: Merchant): string {
  return merchant === 'first' ? id : `${id}@other`;
}

/**
 * How the journals of an episode share the store: one merchant; one that names its account later; two that name their accounts; two that do
 * not.
 */
export type Sharing = 'alone' | 'named later' | 'two named' | 'two unnamed';

const sharings = ['alone', 'alone', 'alone', 'named later', 'two named', 'two unnamed'] as const;

/** Draws how the journals of an episode share the store. The sandbox has one merchant. */
export function drawSharing(choices: Choices, inSandbox: boolean): Sharing {
  const drawn = sharings[choices.draw('sharing', sharings.length)] ?? 'alone';
  return inSandbox && drawn.startsWith('two') ? 'alone' : drawn;
}

/** Returns the account that a merchant's journal names; `undefined` if it names none. */
export function accountOf(sharing: Sharing, merchant: Merchant): string | undefined {
  return sharing === 'two named' ? merchant : undefined;
}
