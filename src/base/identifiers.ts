import { digitsOf, type KnownSecrets } from './known-secrets.ts';
import { beginsLikeKey, looksSecret } from './secret-looks.ts';

const codePattern = /^[\w.-]{1,64}$/;
const idPattern = /^[\w.:/+=-]{1,128}$/;
/** Codes have few digits, and card numbers have many. */
const maxCodeDigits = 5;
/** An id may share five letters with a key by chance, but hardly eight. */
const secretWindow = 8;

function holdsKey(text: string, secrets: KnownSecrets): boolean {
  return beginsLikeKey(text) || secrets.areIn(text) || secrets.placesIn([text], secretWindow).size > 0;
}

/** Whether a foreign text looks like a code, such as `card_declined`, and holds no secret. */
export function isPlainCode(text: string, secrets: KnownSecrets): boolean {
  const digits = digitsOf(text);
  return (
    codePattern.test(text) &&
    digits.length <= maxCodeDigits &&
    !secrets.haveNumberIn(digits) &&
    !holdsKey(text, secrets)
  );
}

/** Whether a foreign text looks like an id, such as `req_8f14e45f`, and holds no secret and no card number. */
export function isPlainId(text: string, secrets: KnownSecrets): boolean {
  return idPattern.test(text) && !looksSecret(text) && !holdsKey(text, secrets);
}
