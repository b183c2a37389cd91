import { loggedOperationId, operationIdOf } from '../api/operation-id.ts';
import type { Exchanged, ExecutedRequest } from '../api/request-log.ts';
import type { CardNames } from './card-text.ts';
import type { KeptRequest, RecordedMessage, RecordedRequest } from './entry.ts';
import { redactBody, redactHeaders } from './redact-body.ts';
import { linksOfRequest } from './request-links.ts';

function replyOf({ reply }: Exchanged, requestIdHeader: string): RecordedRequest['reply'] {
  if (reply === undefined) return null;
  const { status, headers, body } = reply;
  return {
    status,
    headers: redactHeaders(Object.entries(headers), [requestIdHeader]),
    body: redactBody(body, headers['content-type'] ?? ''),
  };
}

function keyOf({ headers }: Request): string | undefined {
  return headers.get('idempotency-key') ?? undefined;
}

function messageOf({ request, body }: Exchanged, cards: CardNames): RecordedMessage {
  const type = request.headers.get('content-type') ?? '';
  return {
    headers: redactHeaders(request.headers),
    body: body === undefined ? null : redactBody(body, type, cards),
  };
}

/** What the recorded form of a request depends on. */
interface RecordSettings {
  readonly requestIdHeader: string;
  readonly cards: CardNames;
}

/** Converts a request to its recorded form. Secrets, tokens and card data are removed here, before storage. */
export function recordedRequest(
  number: number,
  { at, duration, request: logged }: ExecutedRequest,
  exchanged: Exchanged,
  { requestIdHeader, cards }: RecordSettings,
): KeptRequest {
  const { source, requestId, request, fault, arrived } = exchanged;
  const { operation, method, path, status, replayed, idempotencyKey } = logged;
  const operationId = operationIdOf(keyOf(request));
  const message = messageOf(exchanged, cards);
  const reply = replyOf(exchanged, requestIdHeader);
  return {
    kind: 'request',
    number,
    at,
    source,
    requestId,
    operation: operation ?? null,
    method,
    path,
    query: redactBody(new URL(request.url).search.slice(1), 'form'),
    idempotencyKey: idempotencyKey ?? null,
    operationId: operationId === null ? null : loggedOperationId(operationId),
    request: message,
    isWhole: message.body === (exchanged.body ?? null) && idempotencyKey === keyOf(request),
    fault: fault ?? null,
    // For a page, only the status is recorded.
    reply: reply ?? (source === 'buyer' && status !== undefined ? { status, headers: {}, body: null } : null),
    replayed,
    arrived,
    duration,
    links: linksOfRequest(exchanged, operation),
  };
}
