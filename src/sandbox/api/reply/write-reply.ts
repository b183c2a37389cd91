import type { Reply } from '../../domain/records/reply.ts';

/** A reply with a JSON body. */
export function jsonReply(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const statusesWithoutBody = new Set([204, 205, 304]);

/** The response that sends a reply, with some headers more. Those of the reply come first. */
export function toResponse(
  { status, headers, body }: Reply,
  more: Readonly<Record<string, string>>,
): Response {
  return new Response(statusesWithoutBody.has(status) ? null : body, {
    status,
    headers: { ...more, ...headers },
  });
}
