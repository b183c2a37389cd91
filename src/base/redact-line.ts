import type { Issue } from './issue.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { looksSecret } from './secret-looks.ts';

/** Replaces a secret. */
export const placeholder = '[redacted]';

/** A search for the secrets that a client or a call knows. */
type SecretSearch = Pick<KnownSecrets, 'areIn' | 'placesIn'>;

/** Finds nothing. What looks like a key or a card number is redacted without it. */
export const noSecrets: SecretSearch = { areIn: () => false, placesIn: () => new Set() };

const defaultMaxLength = 500;
/** A name or an id may share five letters with a key by chance, but hardly eight. */
const secretWindow = 8;

/** A user and a password in an address. */
const userInfo = /\/\/[^\s/?#@]+@/g;
// A line break could forge a log line; an escape or a change of direction could change what a terminal shows.
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Removes percent-encoding, also nested. */
function unescaped(text: string): string {
  let plain = text;
  for (let depth = 0; depth < 3 && plain.includes('%'); depth += 1) {
    plain = plain.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes);
      } catch {
        return escapes;
      }
    });
  }
  return plain;
}

/** Whether a text is a known secret as it is written, or looks like one. */
function isSecret(text: string, secrets: SecretSearch): boolean {
  return looksSecret(text) || secrets.areIn(text);
}

/**
 * A text of our own, such as the path of a request or of a field, on one line and without what a caller put there in the wrong
 * place: each word and each segment that holds a known secret, or looks like a key or a card number, is `[redacted]`.
 */
export function redactLine(text: string, secrets: SecretSearch, maxLength = defaultMaxLength): string {
  const parts = text
    .slice(0, maxLength)
    .replace(invisible, ' ')
    .replace(userInfo, `//${placeholder}@`)
    .split(/([\s/]+)/);
  // A cut part may be the beginning of a secret.
  if (text.length > maxLength) parts.splice(-1, 1, '…');
  const plain = parts.map(unescaped);
  const places = secrets.placesIn(plain, secretWindow);
  const line = parts
    .map((part, place) => {
      const isHidden = places.has(place) || isSecret(part, secrets) || isSecret(plain[place] ?? '', secrets);
      return isHidden ? placeholder : part;
    })
    .join('');
  return isSecret(line, secrets) ? placeholder : line;
}

/**
 * Issues whose words are ours, and whose paths may hold names that a caller gave.
 *
 * @param ownNames Names of our own, such as `security_key`, which may share letters with a key.
 */
export function redactIssues(
  issues: readonly Issue[],
  secrets: SecretSearch,
  ownNames: readonly string[] = [],
): readonly Issue[] {
  return issues.map(({ path, expected, received }) => ({
    path: ownNames.includes(path) ? path : redactLine(path, secrets),
    expected,
    received: redactLine(received, secrets),
  }));
}
