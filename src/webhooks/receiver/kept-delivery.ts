import { isRecord } from '../../base/json.ts';
import { fitsData } from '../../stores/checks.ts';
import { decodeBase64, encodeBase64 } from '../signatures/bytes.ts';
import type { RawBody } from '../signatures/scheme.ts';

/** A delivery in the form that stores keep. */
export interface KeptDelivery {
  readonly rawBody: RawBody;
  readonly scope: string | undefined;
  /** The name of the error of the last attempt; `undefined` before the first failure. */
  readonly lastError?: string | undefined;
}

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Stores keep well-formed text without NUL. */
function textOf(rawBody: RawBody): string | undefined {
  try {
    const text = typeof rawBody === 'string' ? rawBody : utf8.decode(rawBody);
    return /\0|\p{Surrogate}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const bytesOf = (rawBody: RawBody) =>
  typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;

/** Returns the text for the store: a line of JSON, then the body. `undefined` if it is too long for a store. */
export function encodeKept({ rawBody, scope, lastError }: KeptDelivery): string | undefined {
  const text = textOf(rawBody);
  const head = JSON.stringify({ scope, lastError, ...(text === undefined && { encoding: 'base64' }) });
  const data = `${head}\n${text ?? encodeBase64(bytesOf(rawBody))}`;
  return fitsData(data) ? data : undefined;
}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Reads the output of `encodeKept`; `undefined` for any other text. */
export function decodeKept(data: string): KeptDelivery | undefined {
  const end = data.indexOf('\n');
  let head: unknown;
  try {
    head = JSON.parse(data.slice(0, Math.max(0, end)));
  } catch {
    return undefined;
  }
  if (!isRecord(head)) return undefined;
  const { scope, lastError, encoding } = head;
  const text = data.slice(end + 1);
  const rawBody = encoding === 'base64' ? decodeBase64(text) : text;
  return rawBody === undefined
    ? undefined
    : { rawBody, scope: stringOf(scope), lastError: stringOf(lastError) };
}
