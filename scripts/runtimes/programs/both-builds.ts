/** Loads the ES module and the CommonJS build in one process, and checks that each recognizes the other's errors. */

import { createRequire } from 'node:module';
import * as esm from 'payments-client';

const require = createRequire(import.meta.url);
const cjs: typeof esm = require('payments-client');
const { Webhooks }: typeof import('payments-client/webhooks') = require('payments-client/webhooks');

const failing = {
  baseUrl: 'https://payments.test',
  secretKey: 'sk_v1_test_both',
  maxRetries: 0,
  fetch: async () => Response.json({ code: 'gone' }, { status: 404 }),
};

/** Returns whether one build recognizes an error of the other. */
async function recognizes(one: typeof esm, other: typeof esm): Promise<boolean> {
  const error = await new other.PaymentsClient(failing).refunds.retrieve('rf_1').catch((reason) => reason);
  const platforms = [one.PaymentsError, one.ApiError, one.NotFoundError];
  return platforms.every((platform) => error instanceof platform) && !(error instanceof one.ServerError);
}

async function recognizesWebhookErrors(): Promise<boolean> {
  const error = await new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
    .verify('', {})
    .catch((reason) => reason);
  return error instanceof esm.WebhookVerificationError;
}

console.log(
  JSON.stringify({
    areDistinct: esm.PaymentsClient !== cjs.PaymentsClient,
    esmRecognizesCommonJs: await recognizes(esm, cjs),
    commonJsRecognizesEsm: await recognizes(cjs, esm),
    esmRecognizesWebhookErrors: await recognizesWebhookErrors(),
  }),
);
