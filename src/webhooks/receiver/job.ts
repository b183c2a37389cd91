import { fromBase64, toBase64 } from '../../base/bytes.ts';
import { once } from '../../base/functions.ts';
import { isRecord } from '../../base/json.ts';
import { idsOfObjects, withoutCards } from '../../stores/kept/card-data.ts';
import type { VerifiedBody } from '../authenticate.ts';
import type { RawBody } from '../signatures/scheme.ts';

/** A verified delivery as JSON, for a queue or a store. A later version of this package reads it too. */
export interface WebhookJob {
  /** The body as the service sent it; if it is `masked`, with `[card-1111-masked]` in place of card data, but in ids. */
  readonly body: string;
  /** `base64` if the body is not UTF-8, so that JSON keeps its bytes. Absent otherwise. */
  readonly encoding?: 'base64' | undefined;
  /** The scope of the endpoint whose secret signed it; absent where the secrets have no scopes. */
  readonly scope?: string | undefined;
  /** When it was received, ISO 8601. */
  readonly receivedAt: string;
  /** Card data was masked after the signature was verified, so the body is not the one that was signed. Absent if it is. */
  readonly masked?: true | undefined;
}

const utf8 = /* @__PURE__ */ once(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));

/** Returns the text of bytes; `undefined` if they are not UTF-8. */
function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return utf8().decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Characters of private use, one for each byte above ASCII. None is a letter, so a blank of several bytes may stand within a card number. The
 * low byte of each is its own.
 */
const privateUse = 0xe000;

/** Masks bytes of any other encoding, such as UTF-16: each one stands for a character. */
function maskedBytes(bytes: Uint8Array): Uint8Array {
  const characterOf = (byte: number) => String.fromCharCode(byte < 0x80 ? byte : privateUse + byte);
  const characters = Array.from(bytes, characterOf).join('');
  const masked = withoutCards(characters, idsOfObjects);
  if (masked === characters) return bytes;
  // JSON had escaped any other character, since no byte stands for it.
  const single = masked.replace(/[^\0-\x7f\ue080-\ue0ff]/g, escaped);
  return Uint8Array.from(single, (character) => character.charCodeAt(0));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns a body without card data; the same one if it holds none. Ids of objects stay, since the key of a delivery has the event's. */
export function maskedBody(body: RawBody): RawBody {
  if (typeof body === 'string') return withoutCards(body, idsOfObjects);
  const text = textOfBytes(body);
  if (text === undefined) return maskedBytes(body);
  const masked = withoutCards(text, idsOfObjects);
  return masked === text ? body : masked;
}

function encode(body: RawBody): Pick<WebhookJob, 'body' | 'encoding'> {
  // A lone surrogate of a text has no UTF-8 either, but no signature matches it.
  if (typeof body === 'string') return { body };
  const text = textOfBytes(body);
  return text === undefined ? { body: toBase64(body), encoding: 'base64' } : { body: text };
}

/** Returns the job of a verified body, without card data. */
export function jobOf(verified: VerifiedBody): WebhookJob {
  const { rawBody, scope, receivedAt = new Date().toISOString() } = verified;
  const kept = maskedBody(rawBody);
  const masked = kept === rawBody ? verified.masked : true;
  return {
    ...encode(kept),
    receivedAt,
    ...(scope !== undefined && { scope }),
    ...(masked && { masked }),
  };
}

/** Returns what a job was made of. */
export function receivedIn({ body, encoding, scope, receivedAt, masked }: WebhookJob): VerifiedBody {
  return { rawBody: encoding === undefined ? body : fromBase64(body), scope, receivedAt, masked };
}

/** Whether a value is a job. An event has other fields. */
export function isJob(value: unknown): value is WebhookJob {
  if (!isRecord(value) || 'type' in value) return false;
  const { body, encoding, scope, receivedAt, masked } = value;
  return (
    typeof body === 'string' &&
    typeof receivedAt === 'string' &&
    (encoding === undefined || (encoding === 'base64' && isBase64(body))) &&
    (scope === undefined || typeof scope === 'string') &&
    (masked === undefined || masked === true)
  );
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
