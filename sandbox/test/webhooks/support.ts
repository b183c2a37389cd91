import { type WebhookEvent, Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';

/** Returns an endpoint's response. */
export type Answer = (event: WebhookEvent, request: Request) => Response | Promise<Response>;

const ok: Answer = () => new Response('thanks');

/** Starts a sandbox with an endpoint in this process that verifies and records deliveries. */
export function withEndpoint(
  answer: Answer = ok,
  options: Parameters<typeof createSandbox>[0] = {},
  events?: readonly string[],
) {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1), ...options });
  const received: WebhookEvent[] = [];
  const ids: (string | null)[] = [];
  const endpoint = sandbox.webhooks.deliverTo(
    async (request) => {
      const webhooks = new Webhooks({ secret: endpoint.secret });
      const copy = request.clone();
      try {
        const event = await webhooks.verify(await request.arrayBuffer(), request.headers);
        received.push(event);
        ids.push(request.headers.get('webhook-id'));
        return await answer(event, copy);
      } catch (error) {
        return new Response(String(error), { status: 400 });
      }
    },
    { events },
  );
  const types = () => received.map(({ type }) => type);
  return { sandbox, endpoint, received, ids, types };
}
