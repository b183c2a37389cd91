import type { Reply } from '../../domain/records/reply.ts';

/** Creates a reply with a JSON body. */
export function jsonReply(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const statusesWithoutBody = new Set([204, 205, 304]);

/** Creates the response of a reply with additional headers. The reply's own headers have precedence. */
export function toResponse(
  { status, headers, body }: Reply,
  more: Readonly<Record<string, string>>,
): Response {
  return new Response(statusesWithoutBody.has(status) ? null : body, {
    status,
    headers: { ...more, ...headers },
  });
}
