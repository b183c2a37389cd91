/** The program never prints secrets from its command line or its environment. */

import { afterEach, describe, expect, it } from 'vitest';
import { endAll, run, runSandbox } from '../cli/support.ts';
import { closedUrl, response, startWireServer } from '../support/socket-server.ts';
import { allowances } from './canary/allowed.ts';
import { cardNumber, proxyPassword, secretKey, securityKey, webhookSecret } from './canary/canaries.ts';
import { OutputCollector } from './canary/output-collector.ts';

afterEach(endAll);

const liveKey = secretKey.replace('_test_', '_live_');
const withUser = (address: string) => address.replace('//', `//merchant:${proxyPassword}@`);
const talking: readonly (readonly string[])[] = [
  ['trigger', 'refund.failed', '--set', `id=${cardNumber}`],
  ['events'],
  ['events', '--follow'],
  ['seed'],
  ['clock', 'advance', '1 day'],
  ['webhooks', 'replay', `evt_${cardNumber}`],
];

async function leaksOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const collector = new OutputCollector();
  const ended = await run(args, env);
  collector.add('stdout', ended.stdout);
  collector.add('stderr', ended.stderr);
  return { leaks: collector.leaks(), ended };
}

describe('a failing command prints no secret:', () => {
  it.each(talking)('%s, if nothing listens', async (...args) => {
    const url = withUser(closedUrl);
    const { leaks, ended } = await leaksOf([...args, '--url', url, '--secret-key', secretKey]);
    expect(ended.code).toBe(1);
    expect(leaks).toEqual([]);
  });

  it.each(talking)('%s, if another server repeats its request', async (...args) => {
    const server = await startWireServer(({ request, write }) => {
      write(
        response('400 Bad Request', JSON.stringify({ error: { message: request } }), 'connection: close\r\n'),
      );
    });
    const { leaks, ended } = await leaksOf([...args, '--url', server.url, '--secret-key', secretKey]);
    expect(ended.code).toBe(1);
    expect(server.requests[0]).toContain(secretKey);
    expect(leaks).toEqual([]);
  });

  it.each<[what: string, args: readonly string[], env?: Readonly<Record<string, string>>]>([
    ['an invalid address', ['events', '--url', `ftp://merchant:${proxyPassword}@x.test`]],
    ['an address in the environment', ['events'], { PAYMENTS_BASE_URL: `merchant:${proxyPassword}` }],
    ['a forwarding address', ['sandbox', '--forward-to', `ftp://merchant:${proxyPassword}@x.test`]],
    ['a key as an option', ['events', `--${secretKey}`]],
    ['a key as a command', [secretKey]],
    ['a key as an operand', ['events', secretKey]],
    ['a key as a number', ['events', '--limit', secretKey]],
    ['a key as a host', ['sandbox', '--host', secretKey]],
    ['a key as a field', ['trigger', 'refund.failed', '--set', webhookSecret]],
    ['a card number as a number', ['sandbox', '--port', cardNumber]],
    ['a card number as a type', ['trigger', cardNumber, '--url', 'http://127.0.0.1:1']],
    [
      'a live key in the environment',
      ['events', '--url', 'http://127.0.0.1:1'],
      { PAYMENTS_SECRET_KEY: liveKey },
    ],
  ])('from %s', async (_what, args, env) => {
    const { leaks, ended } = await leaksOf(args, env);
    expect(ended.code).not.toBe(0);
    expect(leaks).toEqual([]);
  });
});

describe('the sandbox command', () => {
  it('prints its own keys at the start, and no key later', async () => {
    const env = { PAYMENTS_SECRET_KEY: secretKey, PAYMENTS_SECURITY_KEY: securityKey };
    const { url, stop, ready, line } = await runSandbox([], env);
    const authorization = `Bearer ${secretKey}`;
    await fetch(`${url}/v1/customers/${cardNumber}`, {
      headers: { authorization, 'x-api-key': webhookSecret },
    });
    await fetch(`${url}/api/transact.php`, {
      method: 'POST',
      body: new URLSearchParams({
        security_key: securityKey,
        type: 'sale',
        amount: '1.00',
        ccnumber: cardNumber,
      }),
    });
    await line((text) => text.includes('transact'));
    const { stdout, stderr } = await stop();
    const start = new OutputCollector();
    start.add('start', ready);
    expect(start.leaks(allowances.ownKeys)).toEqual([]);
    expect(ready).toMatchObject({ secret_key: secretKey });
    const later = new OutputCollector();
    later.add('stdout', stdout.split('\n').slice(1));
    later.add('stderr', stderr);
    expect(stdout.split('\n').length).toBeGreaterThan(2);
    expect(later.leaks()).toEqual([]);
  });

  it('neither prints nor requires a live key from the environment', async () => {
    const { stop } = await runSandbox([], { PAYMENTS_SECRET_KEY: liveKey });
    const { stdout, stderr } = await stop();
    expect(stdout + stderr).not.toContain(liveKey.slice(-12));
  });
});
