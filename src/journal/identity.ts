import { sha256Hex } from '../base/bytes.ts';
import type { Sender } from '../http/call-journal.ts';
import { isTestKey } from '../http/response.ts';
import type { IdentityDifference } from './errors.ts';
import type { KeySpace } from './key-space.ts';

/** Where an operation is sent, and with which key: two accounts of the service differ in it. */
export interface Identity {
  /** The base URL: its origin, and the path before `/v1`, if any. */
  readonly origin: string;
  /** `unknown` for a security key. A secret key that is not a test key counts as live (*inferred*). */
  readonly mode: 'test' | 'live' | 'unknown';
  /** The first 16 hex digits of the SHA-256 of the key. */
  readonly credential: string;
}

function modeOf({ keyOption, credential }: Sender): Identity['mode'] {
  if (keyOption === 'securityKey') return 'unknown';
  return isTestKey(credential) ? 'test' : 'live';
}

/** Returns the identity of a call. */
export function identityOf(sender: Sender): Identity {
  return {
    origin: sender.origin,
    mode: modeOf(sender),
    credential: sha256Hex(sender.credential).slice(0, 16),
  };
}

const parts = [
  ['origin', 'base URL'],
  ['mode', 'mode'],
  ['credential', 'key'],
] as const;

/** Whether two calls go to the same place with the same key. */
export function isSameIdentity(one: Identity, other: Identity): boolean {
  return parts.every(([part]) => one[part] === other[part]);
}

/**
 * Returns how the identity of a record differs from that of a call; `undefined` if the record belongs to the account of the call.
 * Without the name of an account, only an equal identity proves that.
 */
export function differenceOf(
  { hasAccount }: KeySpace,
  record: Identity,
  call: Identity,
): IdentityDifference | undefined {
  const differences = parts.flatMap(([part, name]) => (record[part] === call[part] ? [] : [name]));
  const decisive = hasAccount ? differences.filter((name) => name === 'mode') : differences;
  return decisive.length === 0 ? undefined : { hasAccount, differences: decisive };
}
