import { writeFile } from 'node:fs/promises';
import { ConfigurationError, PaymentsClient, type ServiceInterface } from 'payments-client';
import { expect, test, vi } from 'vitest';
import { startSandbox } from './support/sandbox.ts';
import { temporaryFile } from './support/temporary-file.ts';

const secretKey = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';

async function fileOf(content: string): Promise<string> {
  const file = await temporaryFile();
  await writeFile(file, content);
  return file;
}

function clientWith(file: string, known?: ServiceInterface): PaymentsClient {
  vi.stubEnv('PAYMENTS_INTERFACE', file);
  return new PaymentsClient({ baseUrl: 'https://payments.example.com', secretKey, interface: known });
}

test('a client without options calls the service as the file says', async () => {
  const known: ServiceInterface = { itemsField: 'rows', routes: { 'products.list': 'GET /v1/catalog' } };
  const sandbox = await startSandbox({ interface: known });
  sandbox.add('product', { name: 'Tea' });
  vi.stubEnv('PAYMENTS_BASE_URL', sandbox.url);
  vi.stubEnv('PAYMENTS_SECRET_KEY', sandbox.secretKey);
  const content = JSON.stringify({ $schema: './schema.json', version: 1, ...known });
  vi.stubEnv('PAYMENTS_INTERFACE', await fileOf(content));
  const { items } = await new PaymentsClient().products.list();
  expect(items).toMatchObject([{ name: 'Tea' }]);
  expect(sandbox.requests.map((request) => request.path)).toEqual(['/v1/catalog']);
});

const notJson = 'PAYMENTS_INTERFACE: expected a file of JSON, got another text';
const noObject = 'interface: expected an object such as payments.interface.json has';
const cure =
  'Correct the environment variable PAYMENTS_INTERFACE, or write the file with npx payments-client probe.';

test.each<readonly [content: string | undefined, ...messages: string[]]>([
  [undefined, 'PAYMENTS_INTERFACE: expected a file that can be read, got ENOENT', cure],
  ...['', '{', '<html>', 'undefined'].map((content) => [content, notJson, cure] as const),
  ['{"itemField": "rows"}', 'interface.itemField: expected a known name', "did you mean 'itemsField'?"],
  ['{"errorShape": "round"}', "interface.errorShape: expected 'nested' or", "got 'round'"],
  ['{"version": 2}', 'interface.version: expected'],
  ['{"routes": {"refunds.retrive": "GET /v1/r/{id}"}}', 'refunds.retrive', "'refunds.retrieve'"],
  ['[]', noObject],
  ['null', noObject],
])('a file with %j is refused', async (content, ...messages) => {
  const file = content === undefined ? await temporaryFile() : await fileOf(content);
  expect(() => clientWith(file)).toThrow(ConfigurationError);
  for (const message of messages) expect(() => clientWith(file)).toThrow(message);
});

test('no file is read where the variable is empty, or the client is given an interface', async () => {
  expect(clientWith('')).toBeInstanceOf(PaymentsClient);
  expect(clientWith(await temporaryFile(), { itemsField: 'rows' })).toBeInstanceOf(PaymentsClient);
});
