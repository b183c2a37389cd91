/** The program `payments-client probe --webhook`: how deliveries are signed. */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  expectNoKey,
  expectProblem,
  fast,
  linesOf,
  probed,
  seeded,
  serviceWith,
  temporaryFolder,
  testKey,
  webhookSecret,
} from './probing.ts';
import { endAll, launch } from './support.ts';

afterEach(endAll);

describe('--webhook', () => {
  const webhooks = { scheme: 'bodyHmac', header: 'x-signature', encoding: 'hex' } as const;
  const shown = { id: 'G36', verdict: 'differs', detail: 'bodyHmac, header x-signature' };

  test('reads a delivery from a file', async () => {
    const sandbox = await seeded({ interface: { webhooks } });
    const recorded = join(await temporaryFolder(), 'delivery.txt');
    sandbox.webhooks.deliverTo(
      async (request) => {
        const headers = Array.from(request.headers, ([name, value]) => `${name}: ${value}\r\n`).join('');
        await writeFile(recorded, `POST /hooks HTTP/1.1\r\n${headers}\r\n${await request.text()}`);
        return new Response();
      },
      { secret: webhookSecret },
    );
    sandbox.trigger('customer.created');
    await sandbox.settled();
    const { code, stdout, stderr, file } = await probed(sandbox.url, '--json', '--webhook', recorded);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining(shown));
    expect(JSON.parse(file ?? '')).toMatchObject({ webhooks });
    expectNoKey(stdout, stderr, file);
  });

  test('waits for a delivery at the address that it prints', async () => {
    const sandbox = await seeded({ interface: { webhooks } });
    const out = join(await temporaryFolder(), 'found.json');
    const probe = launch(
      [
        'probe',
        '--json',
        '--base-url',
        sandbox.url,
        '--out',
        out,
        '--webhook',
        '--webhook-port',
        '0',
        ...fast,
      ],
      { PAYMENTS_SECRET_KEY: testKey, PAYMENTS_WEBHOOK_SECRET: webhookSecret },
    );
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await probe.message('through a tunnel')) ?? [];
    await probe.message('Waiting up to 5 minutes for a delivery.');
    sandbox.webhooks.deliverTo(`${url}/hooks`, { secret: webhookSecret });
    sandbox.trigger('customer.created');
    await sandbox.settled();
    const { code, stdout, stderr } = await probe.ended;
    expect([code, sandbox.webhooks.deliveries().map(({ status }) => status)]).toEqual([0, ['delivered']]);
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining(shown));
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ webhooks });
    expectNoKey(stdout, stderr);
  });

  test('stops waiting when it is interrupted', async () => {
    const { url } = await serviceWith(404);
    const out = join(await temporaryFolder(), 'found.json');
    const probe = launch(['probe', '--base-url', url, '--out', out, '--webhook', ...fast], {
      PAYMENTS_SECRET_KEY: testKey,
      PAYMENTS_WEBHOOK_SECRET: webhookSecret,
    });
    await probe.message('Waiting up to 5 minutes for a delivery.');
    const { code, stderr } = await probe.stop();
    expect([code, existsSync(out)]).toEqual([1, false]);
    expectProblem(stderr.split('\n').slice(2).join('\n'), /stopped: it was interrupted; nothing was written/);
  });

  test('refuses a file without a delivery before the first request', async () => {
    const { url, requests } = await serviceWith(404);
    const file = join(await temporaryFolder(), 'delivery.txt');
    const missing = await probed(url, '--webhook', file);
    expect(missing.code).toBe(1);
    expectProblem(
      missing.stderr,
      /expected --webhook to be a readable file, got '.*delivery\.txt' \(ENOENT\)\./,
    );
    await writeFile(file, 'no delivery');
    const other = await probed(url, '--webhook', file);
    expect(other.code).toBe(1);
    expectProblem(
      other.stderr,
      /expected headers, an empty line and a body in .*delivery\.txt, got another text\./,
    );
    expect(requests).toEqual([]);
  });

  test('refuses a port in use before the first request', async () => {
    const { url, requests } = await serviceWith(404);
    const { code, stderr } = await probed(url, '--webhook', '--webhook-port', new URL(url).port);
    expect([code, requests]).toEqual([1, []]);
    expectProblem(stderr, /expected a free port for --webhook, got \d+ \(EADDRINUSE\)\. Choose another/);
  });
});
