/** A receiver of deliveries, made when its module is loaded, as in an app. */

import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const webhooks = new Webhooks({ secret: process.env['WEBHOOK_SECRET'] });

export const receiver = webhooks.receiver({ store: memoryStore(), on: { 'refund.failed': () => {} } });
