import type { SignatureScheme } from '../../webhooks/signatures/scheme.ts';

/** The data to sign. */
interface Unsigned {
  readonly id: string;
  readonly body: string;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
}

const fields = /^\w+=[^,]*,/;
const standard = /^v1a?,/;

/**
 * Merges two signatures in one header, if its format allows: entries of Standard Webhooks, or fields of a timestamped
 * signature. Otherwise the newer one wins.
 */
function merged(newer: string, older: string): string {
  if (standard.test(newer)) return `${newer} ${older}`;
  if (!fields.test(newer)) return newer;
  return [...new Set([...newer.split(','), ...older.split(',')])].join(',');
}

/** Returns headers that sign a body with every secret, newest first. */
export async function signWithAll(
  scheme: SignatureScheme,
  unsigned: Unsigned,
  secrets: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {};
  for (const secret of secrets) {
    const signed = await scheme.sign({ ...unsigned, secret });
    for (const [name, value] of Object.entries(signed)) {
      const newer = headers[name];
      headers[name] = newer === undefined || newer === value ? value : merged(newer, value);
    }
  }
  return headers;
}
