import { bytesToHex } from '@noble/hashes/utils.js';

/** Longer than any key. Of a longer secret, only the beginning is searched for. */
const maxSecretLength = 16 * 1024;
/** Shorter texts occur by chance, so shorter forms of a secret are not searched for. */
const minFormLength = 4;
/** Longer numbers, such as card numbers, are searched for in parts; shorter ones, such as a CVV, only whole. */
const digitWindow = 5;

/** Reduces a text to its letters and digits, without case, width and accents. */
function skeletonOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The digits of a text. */
export function digitsOf(text: string): string {
  return text.normalize('NFKD').replace(/\D/g, '');
}

function windowsOf(text: string, size: number): string[] {
  const windows: string[] = [];
  for (let at = 0; at + size <= text.length; at += 1) windows.push(text.slice(at, at + size));
  return windows;
}

/** Returns the base64 of bytes at each of the three alignments, without the characters that depend on neighbours. */
function inBase64(bytes: Uint8Array): string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].map((before) => {
    const whole = btoa(' '.repeat(before) + binary);
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** Returns the skeletons of a secret's forms: as it is, in base64, in hexadecimal. */
function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const own = isDigits(secret) && secret.length <= digitWindow ? [] : [secret];
  return [...own, ...inBase64(bytes), bytesToHex(bytes)]
    .map(skeletonOf)
    .filter((form) => form.length >= minFormLength);
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/**
 * Searches texts for known secrets, as plain text, in time linear in both lengths. Never throws.
 */
export class KnownSecrets {
  readonly #forms: readonly string[];
  readonly #texts: readonly string[];
  readonly #numbers: readonly string[];

  constructor(secrets: readonly string[]) {
    const bounded = secrets
      .filter((secret) => secret !== '')
      .map((secret) => secret.slice(0, maxSecretLength));
    this.#forms = bounded.flatMap(formsOf);
    this.#numbers = bounded.filter(isDigits);
    this.#texts = bounded.filter((secret) => !isDigits(secret)).map((secret) => secret.toLowerCase());
  }

  /**
   * Returns the places of those texts that hold a part of a secret, of this many letters and digits, or the whole of a shorter one.
   * They are read as one, since a secret may be cut by what stands between them.
   */
  placesIn(texts: readonly string[], size: number): ReadonlySet<number> {
    const skeletons = texts.map(skeletonOf);
    const skeleton = skeletons.join('');
    const parts = new Set(this.#partsIn(skeleton, size));
    const places = new Set<number>();
    // Most texts hold no secret.
    if (parts.size === 0) return places;
    const owners = skeletons.flatMap((own, place) => Array<number>(own.length).fill(place));
    for (const part of parts) {
      for (let at = skeleton.indexOf(part); at !== -1; at = skeleton.indexOf(part, at + 1)) {
        for (const owner of owners.slice(at, at + part.length)) places.add(owner);
      }
    }
    return places;
  }

  #partsIn(skeleton: string, size: number): string[] {
    const windows = new Set(windowsOf(skeleton, size));
    return this.#forms.flatMap((form) => {
      if (form.length <= size) return skeleton.includes(form) ? [form] : [];
      return windowsOf(form, size).filter((part) => windows.has(part));
    });
  }

  /** Whether digits hold a secret number, or five digits in a row of a long one. */
  haveNumberIn(digits: string): boolean {
    return this.#numbers.some((number) =>
      number.length <= digitWindow
        ? digits.includes(number)
        : windowsOf(number, digitWindow).some((part) => digits.includes(part)),
    );
  }

  /** Whether a text holds a secret as it is written, or a number that stands alone is one. */
  areIn(text: string): boolean {
    const lower = text.toLowerCase();
    const numbers = text.match(/\d+/g) ?? [];
    return (
      this.#texts.some((secret) => lower.includes(secret)) ||
      numbers.some((number) => this.#numbers.includes(number))
    );
  }
}
