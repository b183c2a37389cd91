import { Webhook } from 'standardwebhooks';
import { webhookBody, webhookSecret } from '../records.ts';
import type { Job } from '../side.ts';

export const standardWebhook: Job = () => {
  const peer = new Webhook(webhookSecret);
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': peer.sign('evt_1', now, webhookBody),
  };
  return () => peer.verify(webhookBody, headers);
};
