/** Brings the sandbox's deliveries to an app. */

import type { WebhookTarget } from 'payments-client/sandbox';
import { Webhooks } from 'payments-client/webhooks';

/** The secret that deliveries are signed with. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const webhooks = new Webhooks({ secret });

/**
 * Posts to an address. A delivery carries the sandbox's time, which may have been moved far ahead, and an app that keeps
 * real time refuses it: so it is signed anew.
 */
export function postTo(address: string): WebhookTarget {
  return async (request) => {
    const body = await request.text();
    const id = request.headers.get('webhook-id') ?? undefined;
    const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body, { id })) };
    return fetch(address, { method: 'POST', headers, body });
  };
}
