import { isRecord, parseJson } from '../base/json.ts';

/** A webhook delivery as received. */
export interface Delivery {
  /** Keyed by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The exact bytes. */
  readonly body: Uint8Array;
}

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Returns where the headers end and the body starts; `undefined` if no empty line separates them. */
function blankLine(bytes: Uint8Array): { readonly end: number; readonly start: number } | undefined {
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x0a) continue;
    if (bytes[at + 1] === 0x0a) return { end: at, start: at + 2 };
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return { end: at, start: at + 3 };
  }
  return undefined;
}

/** Joins the values of a repeated header, as servers do. */
function toHeaders(pairs: Iterable<readonly [name: string, value: string]>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

function readHeaders(lines: string): ReadonlyMap<string, string> {
  const pairs = lines.matchAll(/^([\w!#$%&'*+.^`|~-]+):(.*)$/gm);
  return toHeaders(Array.from(pairs, ([, name = '', value = '']) => [name, value.trim()]));
}

/** Returns as many bytes as the headers state, since editors end a file with a line break. */
function readBody(bytes: Uint8Array, headers: ReadonlyMap<string, string>): Uint8Array {
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) ? bytes.subarray(0, Number(length)) : bytes;
}

function fromJson(json: unknown): Delivery | undefined {
  if (!isRecord(json)) return undefined;
  const { headers, body } = json;
  if (!isRecord(headers) || typeof body !== 'string') return undefined;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  );
  return { headers: toHeaders(pairs), body: utf8.encode(body) };
}

/**
 * Reads a recorded delivery: the raw request with headers, an empty line and the body, or JSON with `headers` and the
 * text of the `body`. Returns `undefined` for any other content.
 */
export function readDelivery(bytes: Uint8Array): Delivery | undefined {
  const json = fromJson(parseJson(text.decode(bytes)));
  if (json !== undefined) return json;
  const blank = blankLine(bytes);
  if (blank === undefined) return undefined;
  const headers = readHeaders(text.decode(bytes.subarray(0, blank.end)));
  return headers.size === 0 ? undefined : { headers, body: readBody(bytes.subarray(blank.start), headers) };
}
