import { writeFile } from 'node:fs/promises';
import { ConfigurationError, PaymentsClient, type ServiceInterface } from 'payments-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startSandbox } from './support/sandbox.ts';
import { temporaryFile } from './support/temporary-file.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

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

function refusalOf(file: string): ConfigurationError {
  try {
    clientWith(file);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('The file was taken.');
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

describe('a file is refused', () => {
  test('that is not there', async () => {
    const error = refusalOf(await temporaryFile());
    expect(error.issues).toEqual([
      { path: 'PAYMENTS_INTERFACE', expected: 'a file that can be read', received: 'ENOENT' },
    ]);
    expect(error.message).toBe(
      'PAYMENTS_INTERFACE: expected a file that can be read, got ENOENT. Correct the environment variable PAYMENTS_INTERFACE, or write the file with npx payments-client probe.',
    );
  });

  test.each(['', '{', '<html>', 'undefined'])('that is not JSON: %j', async (content) => {
    expect(refusalOf(await fileOf(content)).message).toMatch(
      /^PAYMENTS_INTERFACE: expected a file of JSON, got another text\. /,
    );
  });

  test.each([
    ['{"itemField": "rows"}', 'interface.itemField: expected a known name', "did you mean 'itemsField'?"],
    ['{"errorShape": "round"}', "interface.errorShape: expected 'nested' or", "got 'round'"],
    ['{"version": 2}', 'interface.version: expected', ''],
    ['{"routes": {"refunds.retrive": "GET /v1/r/{id}"}}', 'refunds.retrive', "'refunds.retrieve'"],
    ['[]', 'interface: expected an object such as payments.interface.json has', ''],
    ['null', 'interface: expected an object such as payments.interface.json has', ''],
  ])('that is no interface: %s', async (content, ...messages) => {
    const { message } = refusalOf(await fileOf(content));
    for (const expected of messages) expect(message).toContain(expected);
    expect(message).not.toContain(secretKey);
  });
});

describe('a file is not read', () => {
  test('where the variable is empty', () => {
    expect(clientWith('')).toBeInstanceOf(PaymentsClient);
  });

  test('where the client is given an interface', async () => {
    expect(clientWith(await temporaryFile(), { itemsField: 'rows' })).toBeInstanceOf(PaymentsClient);
  });
});
