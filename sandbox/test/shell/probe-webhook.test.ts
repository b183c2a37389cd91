/** The program `payments-client probe --webhook`: how deliveries are signed. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSandbox } from 'payments-client-sandbox';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  everyKey,
  expectNoKey,
  expectProblem,
  fileOf,
  lineFor,
  lineOf,
  out,
  probed,
  serviceBy,
  useFolder,
  webhookSecret,
} from './probing.ts';
import { endAll, launch } from './support.ts';

useFolder();
afterEach(endAll);

describe('--webhook', () => {
  const webhooks = { scheme: 'bodyHmac', header: 'x-signature', encoding: 'hex' } as const;
  const differs = { verdict: 'differs', detail: 'bodyHmac, header x-signature' };

  test('reads a delivery from a file', async () => {
    const sandbox = createSandbox({ interface: { webhooks } });
    onTestFinished(() => sandbox.close());
    let recorded = '';
    sandbox.webhooks.deliverTo(
      async (request) => {
        const headers = Array.from(request.headers, ([name, value]) => `${name}: ${value}\r\n`).join('');
        recorded = `POST /hooks HTTP/1.1\r\n${headers}\r\n${await request.text()}`;
        return new Response();
      },
      { secret: webhookSecret },
    );
    sandbox.trigger('customer.created');
    await sandbox.settled();
    const { code, stdout, file } = await probed(
      (await serviceBy()).url,
      '--json',
      '--webhook',
      await fileOf(recorded),
    );
    expect([code, lineOf(stdout, 'G36')]).toEqual([0, expect.objectContaining(differs)]);
    expect(JSON.parse(file ?? '')).toMatchObject({ webhooks });
    expectNoKey(file);
  });

  test('waits for a delivery at the address that it prints', async () => {
    const sandbox = createSandbox({ interface: { webhooks } });
    onTestFinished(() => sandbox.close());
    const probe = launch(
      lineFor((await serviceBy()).url, '--json', '--webhook', '--webhook-port', '0'),
      everyKey,
    );
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await probe.message('through a tunnel')) ?? [];
    await probe.message('Waiting up to 5 minutes for a delivery.');
    sandbox.webhooks.deliverTo(`${url}/hooks`, { secret: webhookSecret });
    sandbox.trigger('customer.created');
    await sandbox.settled();
    const { code, stdout, stderr } = await probe.ended;
    expect([code, sandbox.webhooks.deliveries().map(({ status }) => status)]).toEqual([0, ['delivered']]);
    expect(lineOf(stdout, 'G36')).toMatchObject(differs);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ webhooks });
    expectNoKey(stdout, stderr);
  });

  test('stops waiting when it is interrupted', async () => {
    const { url } = await serviceBy();
    const probe = launch(lineFor(url, '--webhook'), everyKey);
    await probe.message('Waiting up to 5 minutes for a delivery.');
    const { code, stderr } = await probe.stop();
    expect([code, existsSync(out)]).toEqual([1, false]);
    expectProblem(stderr.split('\n').slice(2).join('\n'), /stopped: it was interrupted; nothing was written/);
  });
});
