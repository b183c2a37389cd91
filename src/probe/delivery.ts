import { isRecord, parseJson } from '../base/json.ts';

/** A delivery of a webhook, as it came. */
export interface Delivery {
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Byte for byte. */
  readonly body: Uint8Array;
}

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Where the headers end and where the body begins; `undefined` where no empty line is between them. */
function blankLine(bytes: Uint8Array): { readonly end: number; readonly start: number } | undefined {
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x0a) continue;
    if (bytes[at + 1] === 0x0a) return { end: at, start: at + 2 };
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return { end: at, start: at + 3 };
  }
  return undefined;
}

function readHeaders(lines: string): ReadonlyMap<string, string> {
  const pairs = lines.matchAll(/^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t\r]*$/gm);
  return new Map(Array.from(pairs, ([, name = '', value = '']) => [name.toLowerCase(), value]));
}

function fromJson(json: unknown): Delivery | undefined {
  if (!isRecord(json)) return undefined;
  const { headers, body } = json;
  if (!isRecord(headers) || typeof body !== 'string') return undefined;
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return { headers: new Map(pairs), body: utf8.encode(body) };
}

/**
 * Reads a recorded delivery: the request as it came, headers, an empty line and the body, or JSON with `headers` and the text of the
 * `body`. `undefined` where it is neither.
 */
export function readDelivery(bytes: Uint8Array): Delivery | undefined {
  const json = fromJson(parseJson(text.decode(bytes)));
  if (json !== undefined) return json;
  const blank = blankLine(bytes);
  if (blank === undefined) return undefined;
  const headers = readHeaders(text.decode(bytes.subarray(0, blank.end)));
  return headers.size === 0 ? undefined : { headers, body: bytes.subarray(blank.start) };
}
