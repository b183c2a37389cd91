/** The recorded output in `docs/probe.md` is what the program prints and writes. */

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Webhooks } from 'payments-client/webhooks';
import { afterEach, expect, test } from 'vitest';
import { endAll, run } from '../../sandbox/test/shell/support.ts';
import { startSandbox } from '../support/sandbox.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const page = readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8');

/** Returns the code block below a comment. */
function blockBelow(comment: string): string {
  const [, block] = new RegExp(`<!-- ${comment} -->\n+\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`The guide has no block below '${comment}'.`);
  return block;
}

const forms = JSON.parse(blockBelow('the service'));
const secret = '8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab91';

/** Formats a delivery like a server that prints its requests. */
async function recordDelivery(path: string): Promise<void> {
  const body = JSON.stringify({ id: 'evt_1', type: 'customer.created' });
  const headers = await new Webhooks({ secret, interface: forms }).sign(body, { id: 'evt_1' });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  writeFileSync(path, ['POST /webhooks HTTP/1.1', ...lines, '', body].join('\r\n'));
}

afterEach(endAll);

test('prints the lines in the guide, with each form that differs, and writes the forms', async () => {
  const sandbox = await startSandbox({ interface: forms });
  sandbox.seed();
  const file = await temporaryFile();
  const delivery = join(dirname(file), 'delivery.txt');
  await recordDelivery(delivery);
  const { code, stdout } = await run(
    ['probe', '--create', '--form', '--webhook', delivery, '--pace', '0', '--out', file],
    {
      PAYMENTS_BASE_URL: sandbox.url,
      PAYMENTS_SECRET_KEY: sandbox.secretKey,
      PAYMENTS_SECURITY_KEY: sandbox.securityKey,
      PAYMENTS_WEBHOOK_SECRET: secret,
    },
  );
  expect(code).toBe(0);
  const printed = stdout.trimEnd().split('\n');
  const shown = blockBelow('the run').trimEnd().split('\n');
  expect(printed.filter((line) => line.includes('differs') || shown.includes(line))).toEqual(shown);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ $schema: expect.any(String), ...forms });
});
