/** Loads the ES module and the CommonJS build in one process. Each must recognize the other's errors. */

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as esm from 'payments-client';
import type * as webhooks from 'payments-client/webhooks';

const require = createRequire(import.meta.url);
const cjs: typeof esm = require('payments-client');
const { Webhooks }: typeof webhooks = require('payments-client/webhooks');

const failing = {
  baseUrl: 'https://payments.test',
  secretKey: 'sk_v1_test_both',
  maxRetries: 0,
  fetch: async () => Response.json({ code: 'gone' }, { status: 404 }),
};

assert.notEqual(esm.PaymentsClient, cjs.PaymentsClient);
for (const [one, other] of [
  [esm, cjs],
  [cjs, esm],
] as const) {
  const error = await new other.PaymentsClient(failing).refunds.retrieve('rf_1').catch((reason) => reason);
  for (const kind of [one.PaymentsError, one.ApiError, one.NotFoundError]) assert(error instanceof kind);
  assert(!(error instanceof one.ServerError));
}
const unsigned = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).verify('', {});
assert((await unsigned.catch((reason) => reason)) instanceof esm.WebhookVerificationError);
console.log('passed');
