/** A verifier is `Webhooks` without receivers. */

import { Webhooks, WebhookVerifier } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { delivery, eventOf, now, otherSecret, secret } from '../support/deliveries.ts';

const event = eventOf('refund.failed');
const at = { now: () => now };

it('verifies and signs as Webhooks does', async () => {
  const { body, headers } = await delivery(event);
  const verifier = new WebhookVerifier({ secret, ...at });
  expect(await verifier.verify(body, headers)).toEqual(event);
  expect(verifier.verifySync(body, await verifier.sign(body))).toEqual(event);
  const stranger = new WebhookVerifier({ secret: otherSecret, ...at });
  await expect(stranger.verify(body, headers)).rejects.toMatchObject({ reason: 'no_match' });
});

it.each([
  ['at once', (found: string) => found],
  ['later', async (found: string) => found],
])('asks a lookup for the secret of each delivery, which it returns %s', async (_when, answer) => {
  const { body, headers } = await delivery(event);
  const calls: unknown[] = [];
  const verifier = new WebhookVerifier({
    secrets: (received, url) => {
      calls.push([url, received.get('Webhook-Id')]);
      return answer(url === '/own' ? secret : otherSecret);
    },
    ...at,
  });
  expect(await verifier.verify(body, headers, '/own')).toEqual(event);
  const stranger = verifier.verify(body, headers, '/other');
  await expect(stranger).rejects.toMatchObject({ reason: 'no_match' });
  const id = headers['webhook-id'];
  expect(calls).toEqual([
    ['/own', id],
    ['/other', id],
  ]);
});

it('makes no receiver, and any Webhooks is one', () => {
  expect(new WebhookVerifier({ secret })).not.toHaveProperty('receiver');
  expect(new WebhookVerifier({ secret })).not.toBeInstanceOf(Webhooks);
  expect(new Webhooks({ secret })).toBeInstanceOf(WebhookVerifier);
});
