/** Secrets on the command line, in the environment, and in what a server answers to the program. */

import { afterEach, describe, expect, it } from 'vitest';
import { type Environment, endAll, run, runSandbox } from '../../../sandbox/test/shell/support.ts';
import { closedUrl, response, startWireServer } from '../../support/socket-server.ts';
import { allowances } from './allowed.ts';
import { cardNumber, proxyPassword, secretKey, securityKey, webhookSecret } from './canaries.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, once, type Place } from './places.ts';

afterEach(endAll);

const liveKey = secretKey.replace('_test_', '_live_');

/** Runs the program, which must fail. */
async function fail(out: Outputs, args: readonly string[], env?: Environment): Promise<void> {
  const { code, stdout, stderr } = await run(args, env);
  expect(code).not.toBe(0);
  out.add('stdout', stdout);
  out.add('stderr', stderr);
}

describe('a command has a secret as', () => {
  const withPassword = `ftp://merchant:${proxyPassword}@x.test`;
  const unreachable = 'http://127.0.0.1:1';
  const line =
    (args: readonly string[], env?: Environment): Place<undefined> =>
    (_, out) =>
      fail(out, args, env);
  noSecretComesOutOf(
    {
      'an invalid address': line(['events', '--url', withPassword]),
      'an address in the environment': line(['events'], { PAYMENTS_BASE_URL: `merchant:${proxyPassword}` }),
      'a forwarding address': line(['sandbox', '--forward-to', withPassword]),
      'an option': line(['events', `--${secretKey}`]),
      'a command': line([secretKey]),
      'an operand': line(['events', secretKey]),
      'a number': line(['events', '--limit', secretKey]),
      'a host': line(['sandbox', '--host', secretKey]),
      'a field': line(['trigger', 'refund.failed', '--set', webhookSecret]),
      'a port': line(['sandbox', '--port', cardNumber]),
      'a type': line(['trigger', cardNumber, '--url', unreachable]),
      'a live key': line(['events', '--url', unreachable, '--secret-key', liveKey]),
      'a live key in the environment': line(['events', '--url', unreachable], {
        PAYMENTS_SECRET_KEY: liveKey,
      }),
    },
    { given: once, from: ['stderr'] },
  );
});

describe('a command with a key fails:', () => {
  const place =
    (...args: readonly string[]): Place<undefined> =>
    async (_, out) => {
      const key = ['--secret-key', secretKey];
      await fail(out, [...args, '--url', closedUrl.replace('//', `//merchant:${proxyPassword}@`), ...key]);
      const server = await startWireServer(({ request, write }) => {
        const echo = JSON.stringify({ error: { message: request } });
        write(response('400 Bad Request', echo, 'connection: close\r\n'));
      });
      await fail(out, [...args, '--url', server.url, ...key]);
      expect(server.requests[0]).toContain(secretKey);
    };
  noSecretComesOutOf(
    {
      trigger: place('trigger', 'refund.failed', '--set', `id=${cardNumber}`),
      events: place('events'),
      'events --follow': place('events', '--follow'),
      seed: place('seed'),
      clock: place('clock', 'advance', '1 day'),
      webhooks: place('webhooks', 'replay', `evt_${cardNumber}`),
    },
    { given: once, from: ['stderr'] },
  );
});

describe('the sandbox command', () => {
  it('prints its own keys at the start, and no key later', async () => {
    const env = { PAYMENTS_SECRET_KEY: secretKey, PAYMENTS_SECURITY_KEY: securityKey };
    const { url, stop, ready, line } = await runSandbox([], env);
    const headers = { authorization: `Bearer ${secretKey}`, 'x-api-key': webhookSecret };
    await fetch(`${url}/v1/customers/${cardNumber}`, { headers });
    const sale = { security_key: securityKey, type: 'sale', amount: '1.00', ccnumber: cardNumber };
    await fetch(`${url}/api/transact.php`, { method: 'POST', body: new URLSearchParams(sale) });
    await line((text) => text.includes('transact'));
    const { stdout, stderr } = await stop();
    const start = new Outputs();
    start.add('start', ready);
    expect(start.leaks(allowances.ownKeys)).toEqual([]);
    expect(ready).toMatchObject({ secret_key: secretKey });
    const later = new Outputs();
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
