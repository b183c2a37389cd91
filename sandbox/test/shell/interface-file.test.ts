import { writeFile } from 'node:fs/promises';
import { PaymentsClient } from 'payments-client';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFile } from '../../../test/support/temporary-file.ts';
import { endAll, run, runSandbox } from './support.ts';

afterEach(endAll);

async function fileOf(content: string): Promise<string> {
  const file = await temporaryFile();
  await writeFile(file, content);
  return file;
}

test('uses the forms of the file, which a client reads from the same file', async () => {
  const forms = { itemsField: 'rows', routes: { 'products.list': 'GET /v1/catalog' } };
  const file = await fileOf(JSON.stringify(forms));
  const { url, ready } = await runSandbox(['--interface', file]);
  const secretKey = String(ready['secret_key']);
  const response = await fetch(`${url}/v1/catalog`, { headers: { authorization: `Bearer ${secretKey}` } });
  expect(await response.json()).toEqual({ rows: [], has_more: false });
  vi.stubEnv('PAYMENTS_INTERFACE', file);
  try {
    expect((await new PaymentsClient({ baseUrl: url, secretKey }).products.list()).items).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ['{ "errorShape": "round" }', /in '.+': interface\.errorShape: expected 'nested' or .+, got 'round'\./],
  ['{ "itemField": "rows" }', /interface\.itemField: .*did you mean 'itemsField'\?/],
  ['{ "webhooks": { "scheme": "bodyHmac" } }', /interface\.webhooks\.header: expected the name of a header/],
  ['[]', /expected --interface to be a file with a JSON object, got other text in '/],
  ['{', /expected --interface to be a file with a JSON object/],
])('refuses a file with %s', async (content, message) => {
  const { code, stdout, stderr } = await run([
    'sandbox',
    '--port',
    '0',
    '--interface',
    await fileOf(content),
  ]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('refuses a missing file', async () => {
  const { code, stderr } = await run(['sandbox', '--interface', await temporaryFile()]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/expected --interface to be a readable file, got '.+' \(ENOENT\)\./);
});
