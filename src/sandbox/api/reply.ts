/** A reply before it is sent: plain values, so that it can be kept and sent again. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
}

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
