/** The output for people: the live log with colours, on a real terminal. */

import { stripVTControlCharacters } from 'node:util';
import { PaymentsClient } from 'payments-client';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../support/serve.ts';
import { thorough } from '../support/size.ts';
import { skipWithout } from '../support/skip.ts';
import { endAll, hasTerminal, launch, run, runOnTerminal, runSandbox } from './support.ts';

// Each program takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(endAll);

/** A sandbox whose log is for people. */
async function launchForPeople(...args: readonly string[]) {
  const sandbox = launch(['sandbox', '--port', '0', ...args]);
  const [url = ''] = /http:\/\/[\d.:]*\d/.exec(await sandbox.line()) ?? [];
  const secretKey =
    /sk_v1_test_\w+/.exec(await sandbox.line((line) => line.includes('secret key')))?.[0] ?? '';
  const payments = new PaymentsClient({ baseUrl: url, secretKey, maxRetries: 0 });
  const inject = async (fault: object) => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/_sandbox/faults`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fault),
    });
    expect(reply.ok).toBe(true);
  };
  /** The next line with this text, without its colours, its time and how long it took. */
  const lineWith = async (text: string) => {
    const line = stripVTControlCharacters(await sandbox.line((candidate) => candidate.includes(text)));
    return line
      .replace(/^\d\d:\d\d:\d\d /, '')
      .replace(/ +\d+ ms/, '')
      .replaceAll(/ +/g, ' ')
      .trimEnd();
  };
  return { ...sandbox, url, payments, inject, lineWith };
}

describe('the live log', () => {
  test('has a line for each request, with its result, key and faults', async () => {
    const sandbox = await launchForPeople();
    const { paymentIntents } = sandbox.payments;
    const params = { amount: 1200, currency: 'usd' } as const;
    await paymentIntents.create(params, { idempotencyKey: 'order-1' });
    expect(await sandbox.lineWith('POST')).toBe('POST /v1/payment_intents 200 key order-1');
    await paymentIntents.create(params, { idempotencyKey: 'order-1' });
    expect(await sandbox.lineWith('POST')).toBe('POST /v1/payment_intents 200 key order-1 replayed');
    await paymentIntents.create(params, { idempotencyKey: 'a-long-key-of-the-order-1042' });
    expect(await sandbox.lineWith('POST')).toBe('POST /v1/payment_intents 200 key a-long…er-1042');
    await expect(paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ status: 404 });
    expect(await sandbox.lineWith('GET')).toBe('GET /v1/payment_intents/pi_none 404');
    await sandbox.inject({ kind: 'unavailable' });
    await expect(paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ status: 503 });
    expect(await sandbox.lineWith('GET')).toBe('GET /v1/payment_intents/pi_none 503');
    await sandbox.inject({ kind: 'drop_request' });
    await expect(paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(await sandbox.lineWith('GET')).toBe('GET /v1/payment_intents/pi_none --- dropped');
  });

  test('has a line for each delivery, with its URL, result and attempt', async () => {
    const statuses = [500, 204];
    const shop = await serve((_, response) => void response.writeHead(statuses.shift() ?? 204).end());
    onTestFinished(() => shop.close());
    const sandbox = await launchForPeople('--forward-to', `${shop.url}/hook`);
    await run(['trigger', 'customer.created', '--url', sandbox.url]);
    expect(await sandbox.lineWith('sent')).toBe(`sent customer.created 500 ${shop.url}/hook`);
    await run(['clock', 'advance', '1 day', '--url', sandbox.url]);
    expect(await sandbox.lineWith('sent')).toBe(`sent customer.created 204 ${shop.url}/hook attempt 2`);
    shop.close();
    await run(['trigger', 'customer.created', '--url', sandbox.url]);
    expect(await sandbox.lineWith('sent')).toMatch(/^sent customer\.created \S.* http:.*\/hook$/);
  });

  test('is also the output of `events --follow`', thorough, async () => {
    const sandbox = await launchForPeople();
    const following = launch(['events', '--follow', '--url', sandbox.url]);
    await following.message('Following.');
    await run(['trigger', 'customer.created', '--url', sandbox.url]);
    const shown = stripVTControlCharacters(await following.line((line) => line.includes('customer.created')));
    expect(shown).toMatch(/^\d\d:\d\d:\d\d event {2}customer\.created +evt_\w+$/);
    const { stdout } = await run(['events', '--url', sandbox.url]);
    expect(stripVTControlCharacters(stdout).trimEnd()).toBe(shown);
  });
});

const { isSkipped, why } = skipWithout(
  hasTerminal,
  'script (of bsdutils)',
  'test/cli/console.services.test.ts',
);

describe.skipIf(isSkipped)(`on a terminal${why}`, () => {
  test('there are colours, unless NO_COLOR or TERM disables them', thorough, async () => {
    const escapeCode = String.fromCodePoint(27);
    const sandbox = await runSandbox();
    await sandbox.call('trigger', 'customer.created');
    const events = ['events', '--url', sandbox.url];
    expect(await runOnTerminal(events)).toContain(escapeCode);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]) {
      const shown = await runOnTerminal(events, env);
      expect(shown).not.toContain(escapeCode);
      expect(shown).toMatch(/^\d\d:\d\d:\d\d event {2}customer\.created/);
    }
  });

  test('a bar shows the progress of sample data, and disappears at the end', thorough, async () => {
    const sandbox = await runSandbox();
    const seed = ['seed', '--customers', '20', '--intents', '3000', '--months', '2', '--url', sandbox.url];
    const shown = await runOnTerminal(seed);
    const rewrite = '\r\u001b[2K';
    const bars = shown.split(rewrite).slice(1);
    expect(bars.length).toBeGreaterThan(1);
    for (const bar of bars.slice(0, -1)) expect(bar).toMatch(/^\d+ of \d+ [█░]{30}$/);
    expect(bars.at(-1)).toMatch(/^Made 20 customers, .*\.\r\n$/);
    expect(await runOnTerminal([...seed, '--seed', 'dumb'], { TERM: 'dumb' })).toMatch(
      /^Made 20 customers, /,
    );
  });
});

test('interrupted sample data is an error, not a result', async () => {
  const half = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end('{"done":1,"total":2}\n{"done":2,"total":2}');
  });
  const torn = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"done":1,"total":2}\n', () => response.destroy());
  });
  onTestFinished(() => {
    half.close();
    torn.close();
  });
  for (const { url } of [half, torn]) {
    const { code, stdout, stderr } = await run(['seed', '--url', url]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^payments-client: the sandbox stopped before the data was complete.*\n$/);
  }
});

test('an invalid or unresponsive URL in the environment is reported on one line', async () => {
  const wrong = await run(['events'], { PAYMENTS_BASE_URL: 'nowhere' });
  expect([wrong.code, wrong.stderr.split('\n')[0]]).toEqual([
    2,
    expect.stringContaining(
      "expected PAYMENTS_BASE_URL to be an http:// or https:// address, got 'nowhere'.",
    ),
  ]);
  const mute = await serve((_, response) => void response.writeHead(400).end('{"error":{}}'));
  onTestFinished(() => mute.close());
  const refused = await run(['events', '--url', mute.url]);
  expect(refused.stderr).toContain(`expected a sandbox at ${mute.url}/, got the status 400.`);
});

test('the sandbox does not listen on a forbidden port', async () => {
  const { code, stderr } = await run([
    'sandbox',
    '--port',
    '0',
    '--host',
    '::1',
    '--data',
    '/proc/none/data',
  ]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^payments-client: the data file .* cannot be used: /),
  ]);
});
