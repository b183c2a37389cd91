/** Makes each mistake of docs/mistakes.md that the SDK reports, and compares its error with the guide. */

import * as sdk from 'payments-client';
import * as stores from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refused, reported } from './mistakes.ts';

/** The values for the guide's code, and an earlier payment. */
async function context(): Promise<Record<string, unknown>> {
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const payments = new sdk.PaymentsClient({ baseUrl, secretKey, securityKey, fetch });
  await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-paid' });
  const webhooks = new Webhooks({ secret: `whsec_${'a'.repeat(32)}` });
  const otherWebhooks = new Webhooks({ secret: `whsec_${'b'.repeat(32)}` });
  const body = JSON.stringify(sandbox.trigger('refund.failed'));
  return {
    ...sdk,
    ...stores,
    Webhooks,
    payments,
    webhooks,
    otherWebhooks,
    secretKey,
    body,
    headers: await webhooks.sign(body),
    payment_token: 'tok_1',
    order: {},
    by: { operationId: 'order-1042' },
  };
}

/** What each error says of its operation. Only a call has one, and `context` executes that of the reused id. */
const outcomes: Readonly<Record<string, sdk.Outcome>> = {
  ConfigurationError: 'not_an_operation',
  IdempotencyBodyMismatchError: 'executed',
  InvalidRequestError: 'not_executed',
  WebhookVerificationError: 'not_an_operation',
};

describe('the SDK', () => {
  it.each(reported)('reports $mistake', async ({ code, name, message }) => {
    const names = await context();
    const make = new Function(...Object.keys(names), `return (async () => ${code})();`);
    const error = await failureOf(make(...Object.values(names)), sdk.PaymentsError);
    expect(error.name).toBe(name);
    expect(error.message).toContain(message);
    expect(error.outcome).toBe(outcomes[name]);
  });

  it('and the compiler cover every row of the guide', () => {
    expect(refused.length + reported.length).toBe(45);
  });
});
