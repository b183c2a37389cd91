/** What the program is given, on its command line and in its environment, is not printed by it. */

import { afterAll, describe, expect, it } from 'vitest';
import { endAll, run, runSandbox } from '../cli/support.ts';
import { everyNth } from '../support/size.ts';
import { closedUrl, response, startWireServer } from '../support/socket-server.ts';
import { allowances } from './canary/allowed.ts';
import { cardNumber, proxyPassword, secretKey, securityKey, webhookSecret } from './canary/canaries.ts';
import { Watch } from './canary/watch.ts';

afterAll(endAll);

const liveKey = secretKey.replace('_test_', '_live_');
const withUser = (address: string) => address.replace('//', `//merchant:${proxyPassword}@`);
const talking: readonly (readonly string[])[] = [
  ['trigger', 'refund.failed', '--set', `id=${cardNumber}`],
  ['events'],
  ['events', '--follow'],
  ['seed'],
  ['clock', 'advance', '1 day'],
  ['replay', `evt_${cardNumber}`],
];

async function leaksOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const watch = new Watch();
  const ended = await run(args, env);
  watch.see('stdout', ended.stdout);
  watch.see('stderr', ended.stderr);
  return { leaks: watch.leaks(), ended };
}

describe('a command that fails prints none of what it was given', () => {
  it.each(everyNth(talking, 3))('%s, where nothing listens', { timeout: 60_000 }, async (...args) => {
    const url = withUser(await closedUrl());
    const { leaks, ended } = await leaksOf([...args, '--url', url, '--secret-key', secretKey]);
    expect(ended.code).toBe(1);
    expect(leaks).toEqual([]);
  });

  it.each(everyNth(talking, 3))(
    '%s, where something else answers with what it got',
    { timeout: 60_000 },
    async (...args) => {
      const server = await startWireServer(({ request, write }) => {
        write(
          response(
            '400 Bad Request',
            JSON.stringify({ error: { message: request } }),
            'connection: close\r\n',
          ),
        );
      });
      const { leaks, ended } = await leaksOf([...args, '--url', server.url, '--secret-key', secretKey]);
      expect(ended.code).toBe(1);
      expect(server.requests[0]).toContain(secretKey);
      expect(leaks).toEqual([]);
    },
  );

  it.each<[what: string, args: readonly string[], env?: Readonly<Record<string, string>>]>([
    ['an address that is none', ['events', '--url', `ftp://merchant:${proxyPassword}@x.test`]],
    ['an address of the environment', ['events'], { PAYMENTS_BASE_URL: `merchant:${proxyPassword}` }],
    ['an address to forward to', ['sandbox', '--forward-to', `ftp://merchant:${proxyPassword}@x.test`]],
    ['a key for an option', ['events', `--${secretKey}`]],
    ['a key for a command', [secretKey]],
    ['a key for an operand', ['events', secretKey]],
    ['a key for a number', ['events', '--limit', secretKey]],
    ['a key for a host', ['sandbox', '--host', secretKey]],
    ['a key for a field', ['trigger', 'refund.failed', '--set', webhookSecret]],
    ['a card number for a number', ['sandbox', '--port', cardNumber]],
    ['a card number for a type', ['trigger', cardNumber, '--url', 'http://127.0.0.1:1']],
    [
      'a live key of the environment',
      ['events', '--url', 'http://127.0.0.1:1'],
      { PAYMENTS_SECRET_KEY: liveKey },
    ],
  ])('%s', { timeout: 60_000 }, async (_what, args, env) => {
    const { leaks, ended } = await leaksOf(args, env);
    expect(ended.code).not.toBe(0);
    expect(leaks).toEqual([]);
  });
});

describe('a sandbox that runs as a program', () => {
  it('prints its own keys when it starts, and no other and none later', { timeout: 60_000 }, async () => {
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
    const start = new Watch();
    start.see('start', ready);
    expect(start.leaks(allowances.ownKeys)).toEqual([]);
    expect(ready).toMatchObject({ secret_key: secretKey });
    const later = new Watch();
    later.see('stdout', stdout.split('\n').slice(1));
    later.see('stderr', stderr);
    expect(stdout.split('\n').length).toBeGreaterThan(2);
    expect(later.leaks()).toEqual([]);
  });

  it('does not print, or ask for, a live key of the environment', { timeout: 60_000 }, async () => {
    const { stop } = await runSandbox([], { PAYMENTS_SECRET_KEY: liveKey });
    const { stdout, stderr } = await stop();
    expect(stdout + stderr).not.toContain(liveKey.slice(-12));
  });
});
