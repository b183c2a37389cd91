import { ConnectionError } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient } from '../support/mock-service.ts';

const refuseConnection = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));

async function messageFor(baseUrl: string): Promise<string> {
  const { refunds } = createClient({ baseUrl, fetch: refuseConnection, maxRetries: 0 });
  return (await failureOf(refunds.retrieve('rf_1'), ConnectionError)).message;
}

it('explains how to start a sandbox that does not listen', async () => {
  expect(await messageFor(createSandbox().url)).toBe(
    'The connection to http://localhost failed (ECONNREFUSED). If that is a sandbox, it does not listen: ' +
      'call sandbox.listen() first, or give the client fetch: sandbox.fetch. refunds.retrieve: 1 attempt.',
  );
});

it.each(['http://localhost:3000', 'https://payments.test'])(
  'does not mention a sandbox for %s',
  async (url) => {
    expect(await messageFor(url)).toBe(
      `The connection to ${url} failed (ECONNREFUSED). refunds.retrieve: 1 attempt.`,
    );
  },
);
