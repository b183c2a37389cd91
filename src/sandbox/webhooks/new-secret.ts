import { bytesToHex } from '@noble/hashes/utils.js';
import type { State } from '../domain/state.ts';

/** Returns a signing secret in the scheme's encoding. Deterministic; not a real secret. */
export function newSecret({ ids, settings }: State): string {
  const text = `${ids.text()}${ids.text()}`;
  switch (settings.secretEncoding) {
    case 'hex':
      return bytesToHex(new TextEncoder().encode(text));
    case 'base64':
      return text;
    default:
      // Standard Webhooks reads base64 after this prefix; other schemes take all of it as text.
      return `whsec_${text}`;
  }
}
