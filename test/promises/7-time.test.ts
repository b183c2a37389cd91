/** Promise 7: time-outs cover the body, each attempt and the whole call, and nothing is left behind. */

import { PaymentsClient, PaymentsError, RequestAbortedError, TimeoutError } from 'payments-client';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { response, startWireServer } from '../support/socket-server.ts';
import { broken, ok, wireClient } from './wire.ts';

const secretKey = 'sk_v1_test_promise7';

/** A service that answers nothing, or a part and then nothing. */
async function stalled(
  part: string,
  timeouts: { readonly timeout?: number; readonly totalTimeout?: number },
) {
  const server = await startWireServer((connection) => connection.write(part));
  return new PaymentsClient({ baseUrl: server.url, secretKey, ...timeouts });
}

const halfBody = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{';

it.each([
  ['no response', ''],
  ['half a body', halfBody],
])('an attempt that gets %s ends by its time-out', async (_what, part) => {
  const payments = await stalled(part, { timeout: 30 });
  const error = await failureOf(payments.paymentIntents.retrieve('pi_1', { maxRetries: 0 }), TimeoutError);
  expect(error.code).toBe('ATTEMPT_TIMEOUT');
});

it('all attempts together end by the total time-out', async () => {
  const payments = await stalled('', { timeout: 40, totalTimeout: 100 });
  const error = await failureOf(payments.paymentIntents.retrieve('pi_1', { maxRetries: 99 }), TimeoutError);
  expect(error.attempts).toBeLessThan(5);
});

it('the caller ends a call at any time, with the reason of the signal', async () => {
  const controller = new AbortController();
  const server = await startWireServer((connection) => {
    connection.write(halfBody);
    controller.abort(new Error('the buyer left'));
  });
  const payments = new PaymentsClient({ baseUrl: server.url, secretKey });
  const call = payments.refunds.retrieve('rf_1', { signal: controller.signal });
  expect(await failureOf(call, RequestAbortedError)).toMatchObject({ cause: { message: 'the buyer left' } });
});

it('no listener is left on the signal of the caller', async () => {
  skipBackOff();
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  const { payments } = await wireClient(response('500 Internal Server Error', ''), broken, ok(refund));
  await payments.refunds.retrieve('rf_1', { signal });
  await failureOf(payments.refunds.retrieve('', { signal }), PaymentsError);
  expect(listeners).toBe(0);
});
