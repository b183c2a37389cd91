/** `instanceof` holds across the two module formats, for errors, clients and webhooks. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as esm from 'payments-client';
import * as esmWebhooks from 'payments-client/webhooks';
import * as esmTesting from 'payments-client-sandbox/testing';

const require = createRequire(import.meta.url);
const cjs = require('payments-client');
const cjsWebhooks = require('payments-client/webhooks');
const fetch = async () => Response.json({ code: 'gone' }, { status: 404 });
const options = {
  baseUrl: 'https://payments.test',
  secretKey: 'sk_v1_test_both',
  securityKey: 'key',
  maxRetries: 0,
  fetch,
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

for (const [from, to] of [
  [esm, cjs],
  [cjs, esm],
]) {
  const payments = new from.PaymentsClient(options);
  const error = await payments.refunds.retrieve('rf_1').catch((reason) => reason);
  for (const name of ['PaymentsError', 'ApiError', 'NotFoundError']) assert(error instanceof to[name], name);
  assert(!(error instanceof to.ServerError));
  assert(payments instanceof to.PaymentsClient);
  assert(payments.transact instanceof to.Transact);
  assert(!({} instanceof to.PaymentsClient) && !(payments instanceof to.Transact));
  assert(!(payments instanceof class extends to.PaymentsClient {}));
}
assert(new esmWebhooks.Webhooks({ secret }) instanceof cjsWebhooks.Webhooks);
const refused = await new cjsWebhooks.Webhooks({ secret }).verify('', {}).catch((reason) => reason);
assert(refused instanceof esm.WebhookVerificationError);
assert(esmTesting.makeError('NotFoundError') instanceof cjs.NotFoundError);
assert.equal(esmTesting.makeError('NotFoundError').constructor, esm.NotFoundError);
