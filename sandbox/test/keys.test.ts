/** The keys of a sandbox: new for each one, unless they are given or stored with a data file. */

import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Webhooks } from 'payments-client/webhooks';
import {
  createSandbox,
  openSandbox,
  type Sandbox,
  type SandboxOptions,
  testCards,
} from 'payments-client-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../../test/support/temporary-file.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' };

function keysOf({ secretKey, securityKey, publicKey, webhookSecret }: Sandbox) {
  return { secretKey, securityKey, publicKey, webhookSecret };
}

async function opened(file: string, options?: Parameters<typeof openSandbox>[1]): Promise<Sandbox> {
  const sandbox = await openSandbox(file, options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function customersOf(sandbox: Sandbox, secretKey: string): Promise<Response> {
  const headers = { authorization: `Bearer ${secretKey}` };
  return sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, { headers }));
}

test('each sandbox has its own random keys', () => {
  const all = Array.from({ length: 50 }, () => keysOf(createSandbox()));
  expect(new Set(all.flatMap((keys) => Object.values(keys))).size).toBe(200);
  for (const { secretKey, securityKey, publicKey, webhookSecret } of all) {
    expect(secretKey).toMatch(/^sk_v1_test_[0-9a-f]{32}$/);
    expect(securityKey).toMatch(/^[0-9a-f]{32}$/);
    expect(publicKey).toMatch(/^pk_v1_test_[0-9a-f]{32}$/);
    expect(webhookSecret).toMatch(/^whsec_[0-9a-f]{32}$/);
  }
});

test('each key can be set separately', () => {
  const secretKey = 'sk_v1_test_mine';
  const sandbox = createSandbox({ secretKey });
  expect(sandbox.secretKey).toBe(secretKey);
  expect(sandbox.securityKey).toMatch(/^[0-9a-f]{32}$/);
  const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const all = { secretKey, securityKey: 'security-mine', publicKey: 'pk_mine', webhookSecret };
  expect(keysOf(createSandbox(all))).toEqual(all);
});

test.each(['secretKey', 'securityKey', 'publicKey', 'webhookSecret'])(
  'a live key is rejected as %s, and not repeated',
  (name) => {
    const create = () => createSandbox({ [name]: 'any_LIVE_key' });
    expect(create).toThrow(`createSandbox.${name}: expected a non-empty string that is not a live key`);
    expect(create).not.toThrow('any_LIVE_key');
  },
);

test('the key of one sandbox is rejected by another', async () => {
  const [one, other] = [createSandbox(), createSandbox()];
  expect((await customersOf(one, one.secretKey)).status).toBe(200);
  expect((await customersOf(one, other.secretKey)).status).toBe(401);
});

test('a fork and a reset keep the keys', async () => {
  const sandbox = createSandbox();
  const keys = keysOf(sandbox);
  expect(keysOf(sandbox.fork())).toEqual(keys);
  expect(keysOf(sandbox.fork().fork())).toEqual(keys);
  sandbox.reset();
  expect(keysOf(sandbox)).toEqual(keys);
  expect((await customersOf(sandbox.fork(), sandbox.secretKey)).status).toBe(200);
});

/** The secrets that sign deliveries: of an endpoint in the options, of one that code registers, and after a rotation. */
function secretsOf(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ webhooks: [{ url: 'http://shop.example/hooks' }], ...options });
  const { secret: registered, id } = sandbox.webhooks.deliverTo('http://shop.example/more');
  const [endpoint] = sandbox.webhooks.endpoints();
  return { sandbox, secrets: [endpoint?.secret, registered, sandbox.webhooks.rotateSecret(id)] };
}

test('no signing secret can be known from another sandbox, not even with the same seed', () => {
  const all = [{}, {}, { seed: 7 }, { seed: 7 }].flatMap((options) => secretsOf(options).secrets);
  expect(new Set(all).size).toBe(12);
});

test('endpoints of the options have the webhook secret, or their own, after a reset and in a fork too', () => {
  const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
  const urls = ['http://shop.example/1', 'http://shop.example/2', 'http://shop.example/3'] as const;
  const webhooks = [{ url: urls[0] }, { url: urls[1] }, { url: urls[2], secret }];
  for (const options of [{}, { webhookSecret }]) {
    const sandbox = createSandbox({ webhooks, ...options });
    const expected = [sandbox.webhookSecret, sandbox.webhookSecret, secret];
    const fork = sandbox.fork();
    for (const one of [sandbox, fork]) {
      expect(one.webhooks.endpoints().map((endpoint) => endpoint.secret)).toEqual(expected);
      one.reset();
      expect(one.webhooks.endpoints().map((endpoint) => endpoint.secret)).toEqual(expected);
    }
  }
});

test.each(['text', 'hex', 'base64'] as const)(
  'the webhook secret fits a scheme with %s secrets',
  async (secretEncoding) => {
    const serviceInterface = {
      webhooks: { scheme: 'bodyHmac', header: 'x-signature', secretEncoding },
    } as const;
    const sandbox = createSandbox({ interface: serviceInterface });
    const webhooks = new Webhooks({ secret: sandbox.webhookSecret, interface: serviceInterface });
    const verified: string[] = [];
    const target = async (request: Request) => {
      verified.push((await webhooks.verify(await request.text(), request.headers)).type);
      return new Response();
    };
    sandbox.webhooks.deliverTo(target, { secret: sandbox.webhookSecret });
    sandbox.trigger('customer.created');
    await sandbox.settled();
    expect(verified).toEqual(['customer.created']);
  },
);

test('a webhook secret of another form is refused, and not repeated', () => {
  const create = () => createSandbox({ webhookSecret: 'whsec_do_not_show' });
  expect(create).toThrow('createSandbox.webhookSecret: expected a signing secret of the scheme, got ');
  expect(create).not.toThrow('do_not_show');
});

test('a data file has its keys in a file beside it, readable for its owner only', async () => {
  const file = await temporaryFile();
  const first = await opened(file);
  const keys = keysOf(first);
  const token = await first.tokenize(card);
  await first.close();
  expect((await stat(`${file}.keys`)).mode & 0o777).toBe(0o600);
  for (const key of Object.values(keys)) expect(await readFile(file, 'utf8')).not.toContain(key);

  const second = await opened(file);
  expect(keysOf(second)).toEqual(keys);
  expect(second.authenticate(token).status).toBe('authenticated');
  await second.close();

  const other = await opened(await temporaryFile());
  expect(other.secretKey).not.toBe(keys.secretKey);
});

test('given keys are not written to the key file, and override it', async () => {
  const file = await temporaryFile();
  const secretKey = 'sk_v1_test_mine';
  const given = await opened(file, { secretKey, securityKey: undefined });
  expect(given.secretKey).toBe(secretKey);
  expect(await readFile(`${file}.keys`, 'utf8')).not.toContain(secretKey);
  const { securityKey } = given;
  await given.close();
  const again = await opened(file);
  expect(again.secretKey).not.toBe(secretKey);
  expect(again.securityKey).toBe(securityKey);
});

test('an invalid key file is an error that names it, and leaves the data file unlocked', async () => {
  const file = await temporaryFile();
  await (await openSandbox(file)).close();
  for (const text of ['', '{}', '[]', 'null', '{"secretKey":1}', '{"secretKey":"sk_v1_test_x"}']) {
    await writeFile(`${file}.keys`, text);
    await expect(openSandbox(file)).rejects.toThrow(/expected '.*\.keys' to have the keys.*Delete it/);
  }
  await rm(`${file}.keys`);
  await (await openSandbox(file)).close();
  expect((await readdir(dirname(file))).sort()).toEqual(['sandbox.data', 'sandbox.data.keys']);
});
