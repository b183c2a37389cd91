import { fromBase64, toBase64 } from '../../base/bytes.ts';
import { once } from '../../base/functions.ts';
import { isRecord } from '../../base/json.ts';
import type { VerifiedBody } from '../authenticate.ts';
import type { RawBody } from '../signatures/scheme.ts';

/** A verified delivery as JSON, for a queue or a store. A later version of this package reads it too. */
export interface WebhookJob {
  /** The body as the service sent it. */
  readonly body: string;
  /** `base64` if the body is not UTF-8, so that JSON keeps its bytes. Absent otherwise. */
  readonly encoding?: 'base64' | undefined;
  /** The scope of the endpoint whose secret signed it; absent where the secrets have no scopes. */
  readonly scope?: string | undefined;
  /** When it was received, ISO 8601. */
  readonly receivedAt: string;
}

const utf8 = /* @__PURE__ */ once(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));

function encode(body: RawBody): Pick<WebhookJob, 'body' | 'encoding'> {
  // A lone surrogate of a text has no UTF-8 either, but no signature matches it.
  if (typeof body === 'string') return { body };
  try {
    return { body: utf8().decode(body) };
  } catch {
    return { body: toBase64(body), encoding: 'base64' };
  }
}

/** Returns the job of a verified body. */
export function jobOf({ rawBody, scope, receivedAt = new Date().toISOString() }: VerifiedBody): WebhookJob {
  const job = { ...encode(rawBody), receivedAt };
  return scope === undefined ? job : { ...job, scope };
}

/** Returns what a job was made of. */
export function receivedIn({ body, encoding, scope, receivedAt }: WebhookJob): VerifiedBody {
  return { rawBody: encoding === undefined ? body : fromBase64(body), scope, receivedAt };
}

/** Whether a value is a job. An event has other fields. */
export function isJob(value: unknown): value is WebhookJob {
  if (!isRecord(value) || 'type' in value) return false;
  const { body, encoding, scope, receivedAt } = value;
  return (
    typeof body === 'string' &&
    typeof receivedAt === 'string' &&
    (encoding === undefined || (encoding === 'base64' && isBase64(body))) &&
    (scope === undefined || typeof scope === 'string')
  );
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
