import { fitsData } from '../../stores/checks.ts';
import { encodeBase64 } from '../signatures/bytes.ts';
import type { RawBody } from '../signatures/scheme.ts';

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The form in which a store keeps a body; `undefined` for one that is too long for it. */
export function keptBody(rawBody: RawBody): string | undefined {
  const bytes = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const data = textOf(bytes) ?? `data:application/octet-stream;base64,${encodeBase64(bytes)}`;
  return fitsData(data) ? data : undefined;
}
