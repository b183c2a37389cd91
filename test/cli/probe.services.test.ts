/** The program `payments-client probe`, over real HTTP. */

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PaymentsClient } from 'payments-client';
import type { Sandbox, SandboxOptions } from 'payments-client/sandbox';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { paymentsClient, runProgram } from '../support/programs.ts';
import { startSandbox } from '../support/sandbox.ts';
import { serve } from '../support/serve.ts';
import { skipWithout } from '../support/skip.ts';
import { endAll, hasTerminal, launch, parse, run, runOnTerminal } from './support.ts';

// Each program takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(endAll);

const testKey = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
const liveKey = 'sk_v1_live_4eC39HqLyjWDarjtT1zdp7dc';
const securityKey = 'sec_9HqLyjWDarjtT1zdp7dcXy';
const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const fast = ['--pace', '0'];
const keyed = { PAYMENTS_SECRET_KEY: testKey };

/** A folder that goes with the test. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'probe-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function seeded(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ secretKey: testKey, securityKey, ...options });
  sandbox.seed({ customers: 3, intents: 5, months: 1 });
  return sandbox;
}

/** A service of another kind: it notes what it is asked. */
async function serviceWith(status: number, body = '') {
  const requests: { readonly method: string | undefined; readonly path: string | undefined }[] = [];
  const { url, close } = await serve(({ method, url: path }, response) => {
    requests.push({ method, path });
    response.writeHead(status).end(body);
  });
  onTestFinished(close);
  return { url, requests };
}

/** Every file that a probe of a service writes, and what it prints. */
async function probed(url: string, ...more: readonly string[]) {
  const out = join(await temporaryFolder(), 'found.json');
  const ended = await run(['probe', '--base-url', url, '--out', out, ...fast, ...more], {
    PAYMENTS_SECRET_KEY: testKey,
    PAYMENTS_SECURITY_KEY: securityKey,
    PAYMENTS_WEBHOOK_SECRET: webhookSecret,
  });
  const file = existsSync(out) ? await readFile(out, 'utf8') : undefined;
  return { ...ended, out, file };
}

function linesOf(stdout: string) {
  return stdout.trimEnd().split('\n').map(parse);
}

/** Expects one line for an error, without a key. */
function expectProblem(stderr: string, pattern: RegExp): void {
  expect(stderr).toMatch(pattern);
  expect(stderr).toMatch(/^payments-client.*\n$/);
  expect(stderr).not.toMatch(/unexpected|\n {4}at /);
  expectNoKey(stderr);
}

function expectNoKey(...texts: readonly (string | undefined)[]): void {
  for (const text of texts) {
    for (const key of [testKey, liveKey, securityKey, webhookSecret])
      expect(text ?? '').not.toContain(key.slice(-12));
  }
}

describe('a probe', () => {
  test('prints a line of JSON for each gap, and writes its findings', async () => {
    const sandbox = await seeded({ interface: { itemsField: 'rows', maxLimit: 50 } });
    const { code, stdout, stderr, file, out } = await probed(sandbox.url, '--create', '--form', '--json');
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    for (const line of lines) {
      expect(line).toMatchObject({
        id: expect.stringMatching(/^G\d+$/),
        title: expect.any(String),
        verdict: expect.stringMatching(/^(?:as assumed|differs|not seen|not asked)$/),
      });
    }
    const numbers = lines.map(({ id }) => Number(String(id).slice(1)));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 'G30', verdict: 'as assumed', detail: 'rows' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 'G67', verdict: 'differs', detail: 'at most 50' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ id: 'G36', verdict: 'not asked', detail: 'needs --webhook' }),
    );
    expect(JSON.parse(file ?? '')).toMatchObject({ version: 1, itemsField: 'rows', maxLimit: 50 });
    expect(stderr).toMatch(
      /^Wrote \S+found\.json after \d+ requests\. Set PAYMENTS_INTERFACE to its path, .*\n$/,
    );
    expect(stderr).toContain(out);
    expectNoKey(stdout, stderr, file);

    const client = new PaymentsClient({
      ...{ baseUrl: sandbox.url, secretKey: testKey, interface: JSON.parse(file ?? '') },
    });
    expect((await client.customers.list({ limit: 2 })).items).toHaveLength(2);
  });

  test('writes the same file each time, and leaves no object but deleted customers', async () => {
    const sandbox = await seeded();
    const before = sandbox.transactions.length;
    const first = await probed(sandbox.url, '--create', '--form');
    const second = await probed(sandbox.url, '--create', '--form');
    expect(first.file).toBeDefined();
    expect(second.file).toBe(first.file);
    expect(sandbox.transactions).toHaveLength(before);
    const made = sandbox.requests.filter(({ method, status }) => method !== 'GET' && Number(status) < 300);
    expect(new Set(made.map(({ operation }) => operation))).toEqual(
      new Set(['customers.create', 'customers.delete', 'transact.submit']),
    );
  });

  test('only reads without --create, --form and a test key', async () => {
    const { url, requests } = await serviceWith(404, '{"error":{"code":"NOT_FOUND","message":"none"}}');
    const out = join(await temporaryFolder(), 'found.json');
    const { code, stdout } = await run(['probe', '--json', '--base-url', url, '--out', out, ...fast], {
      PAYMENTS_SECRET_KEY: liveKey,
    });
    expect(code).toBe(0);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(requests.every(({ path }) => path?.startsWith('/v1/'))).toBe(true);
    expect(linesOf(stdout)).toContainEqual(
      expect.objectContaining({ id: 'G25', detail: 'needs a test key' }),
    );
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ id: 'G22', detail: 'needs --create' }));
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ id: 'G62', detail: 'needs --form' }));
  });

  test('reads its URL and key from the environment, and writes into the working directory', async () => {
    const { url } = await seeded();
    const folder = await temporaryFolder();
    const environment = { PAYMENTS_BASE_URL: url, PAYMENTS_SECRET_KEY: testKey };
    const ended = await runProgram({ ...paymentsClient, folder }, ['probe', ...fast], environment);
    expect([ended.code, ended.stderr]).toEqual([
      0,
      expect.stringContaining('Wrote payments.interface.json after'),
    ]);
    const file = await readFile(join(folder, 'payments.interface.json'), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ version: 1, itemsField: 'data' });
  });

  test('reads them from the file of --env too, with any line ends, without overriding set variables', async () => {
    const { url } = await seeded();
    const folder = await temporaryFolder();
    const lines = [
      `PAYMENTS_BASE_URL=${url}`,
      `PAYMENTS_SECRET_KEY="${testKey}"`,
      'PAYMENTS_INTERFACE=none',
      '',
    ];
    await writeFile(join(folder, '.env'), lines.join('\r\n'));
    const program = { ...paymentsClient, folder };
    const ended = await runProgram(program, ['probe', '--env', '.env', ...fast]);
    expect([ended.code, ended.stderr]).toEqual([
      0,
      expect.stringContaining('Wrote payments.interface.json after'),
    ]);
    const refused = await runProgram(program, ['probe', '--create', '--env', '.env'], {
      PAYMENTS_SECRET_KEY: liveKey,
    });
    expectProblem(refused.stderr, /expected a test key with --create/);
  });

  test('sends requests below the path of its base URL', async () => {
    const { url, requests } = await serviceWith(404);
    await probed(`${url}/gateway/`);
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.every(({ path }) => path?.startsWith('/gateway/v1/'))).toBe(true);
  });
});

describe('for people', () => {
  test('a gap is a line of text, in colours', async () => {
    const { url } = await seeded({ interface: { maxLimit: 50 } });
    const out = join(await temporaryFolder(), 'found.json');
    const args = ['probe', '--base-url', url, '--out', out, ...fast];
    const { stdout } = await run(args, { ...keyed, FORCE_COLOR: '1' });
    const escapeCode = String.fromCodePoint(27);
    expect(stdout).toContain(escapeCode);
    const plain = stripVTControlCharacters(stdout);
    expect(plain).toMatch(/^G67 {2}greatest limit in the cursor form +differs: at most 50$/m);
    expect(plain).toMatch(/^G22 {2}response of a deletion +not asked \(needs --create\)$/m);
    expect(plain).toMatch(/^G56 {2}unit of timestamps +as assumed: seconds$/m);
    for (const line of plain.trimEnd().split('\n')) {
      expect(line).toMatch(/^G\d+ +\S.*(?:as assumed|differs|not seen|not asked \(needs .*\))/);
    }
    const asJson = await run([...args, '--force', '--json'], { ...keyed, FORCE_COLOR: '1' });
    expect(linesOf(asJson.stdout)).toHaveLength(plain.trimEnd().split('\n').length);
  });

  const { isSkipped, why } = skipWithout(
    hasTerminal,
    'script (of bsdutils)',
    'test/cli/probe.services.test.ts',
  );

  test.skipIf(isSkipped)(`a terminal shows the progress${why}`, async () => {
    const { url } = await seeded();
    const out = join(await temporaryFolder(), 'found.json');
    const args = ['probe', '--base-url', url, '--out', out, ...fast];
    const shown = await runOnTerminal(args, keyed);
    const rewritten = shown.split('\r\u001b[2K').slice(1);
    const [results = '', ...bars] = rewritten.reverse();
    expect(bars.length).toBeGreaterThan(50);
    expect(bars.at(-1)).toMatch(/^1 {2}[A-Z]+ \/v1\/\w+/);
    for (const bar of bars) expect(bar).toMatch(/^\d+ {2}(?:GET|POST|PUT|PATCH|DELETE) \/[^\r\n]{0,75}$/);
    expect(stripVTControlCharacters(results)).toMatch(/^G2 [\s\S]*\nG80 .*\r\nWrote .*\r\n$/);
    expect(shown).not.toContain('{"id"');
    expectNoKey(shown);
    expect(await runOnTerminal([...args, '--force', '--json'], keyed)).toContain('{"id":"G2"');
  });
});

describe('--dry-run', () => {
  test('lists every request, sends none and writes nothing', async () => {
    const sandbox = await seeded();
    const { code, stdout, stderr, file } = await probed(
      sandbox.url,
      '--dry-run',
      '--create',
      '--form',
      '--json',
    );
    expect([code, file]).toEqual([0, undefined]);
    expect(sandbox.requests).toEqual([]);
    const requests = linesOf(stdout).map(({ request }) => String(request));
    expect(requests).toContain('GET /v1/products?limit=1000');
    expect(requests).toContain('POST /v1/customers (a test object)');
    expect(stderr).toMatch(`At most these ${requests.length} requests.`);
    expectNoKey(stdout, stderr);
  });

  test('needs no URL, and lists only reads with a live key', async () => {
    const { code, stdout } = await run(['probe', '--dry-run'], { PAYMENTS_SECRET_KEY: liveKey });
    expect(code).toBe(0);
    const requests = stdout.trimEnd().split('\n');
    expect(requests.length).toBeGreaterThan(80);
    expect(requests.filter((request) => !request.startsWith('GET /v1/'))).toEqual([]);
  });
});

describe('a command line is wrong', () => {
  const base = ['--base-url', 'https://payments.example.com'];

  test.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    [
      'without a key',
      base,
      {},
      /expected a secret key in PAYMENTS_SECRET_KEY, got nothing\. Set it, or pass a file/,
    ],
    [
      'without an address',
      [],
      keyed,
      /expected an address, as --base-url or in PAYMENTS_BASE_URL, got nothing/,
    ],
    [
      'without a security key',
      [...base, '--form'],
      keyed,
      /expected a security key with --form in PAYMENTS_SECURITY_KEY, got nothing/,
    ],
    [
      'without a webhook secret',
      [...base, '--webhook'],
      keyed,
      /expected a signing secret with --webhook in PAYMENTS_WEBHOOK_SECRET, got nothing/,
    ],
    [
      'that creates with a live key',
      [...base, '--create'],
      { PAYMENTS_SECRET_KEY: liveKey },
      /expected a test key with --create, got another key/,
    ],
    [
      'with http and another machine',
      ['--base-url', 'http://payments.example.com'],
      keyed,
      /expected --base-url to be an https URL \(http is for loopback hosts\), got http:\/\/payments\.example\.com\./,
    ],
    [
      'with a password in the address',
      ['--base-url', 'https://ada:hunter22@payments.example.com'],
      keyed,
      /expected --base-url to be a URL without a user name or password, got https:\/\/payments\.example\.com\./,
    ],
    [
      'with a key in two lines',
      base,
      { PAYMENTS_SECRET_KEY: `${testKey}\n` },
      /expected PAYMENTS_SECRET_KEY to be printable ASCII without blanks or line breaks, got a string of 36 characters/,
    ],
    [
      'with a key among its arguments',
      [...base, '--secret-key', testKey],
      keyed,
      /unknown option '--secret-key'/,
    ],
    [
      'with a misspelt option',
      [...base, '--creat'],
      keyed,
      /unknown option '--creat' \(Did you mean --create\?\)/,
    ],
    [
      'with no name after --webhook=',
      [...base, '--webhook='],
      keyed,
      /expected a value for --webhook, got an empty/,
    ],
    [
      'with no requests',
      [...base, '--max-requests', '0'],
      keyed,
      /expected --max-requests to be an integer from 1/,
    ],
  ])('%s', async (_, args, env, message) => {
    const { code, stdout, stderr } = await run(['probe', ...args], env);
    expect([code, stdout]).toEqual([2, '']);
    expectProblem(stderr, message);
    expect(stderr).toMatch(/ See 'payments-client help probe'\.\n$/);
    expect(stderr).not.toContain('hunter22');
  });
});

describe('a probe stops', () => {
  test.each([
    [401, /: stopped: the service answered 401: it does not accept the key; nothing was written\.\n$/],
    [429, /: stopped: the service answered 429: it asks for fewer requests; nothing was written\.\n$/],
  ])('at a %i, and writes nothing', async (status, message) => {
    const echo = `{"error":{"code":"NO","message":"not with ${testKey}"}}`;
    const { url, requests } = await serviceWith(status, echo);
    // A listener does not keep it waiting.
    const { code, stdout, stderr, file } = await probed(url, '--webhook');
    expect([code, file]).toEqual([1, undefined]);
    expect(requests).toHaveLength(1);
    const [address = '', ...problem] = stderr.split('\n');
    expect(address).toMatch(/^Have the service deliver an event to http:/);
    expectProblem(problem.join('\n'), message);
    expectNoKey(stdout, stderr);
  });

  test('where nothing listens', async () => {
    const { url, close } = await serve(() => {});
    close();
    const { code, stderr, file } = await probed(url);
    expect([code, file]).toEqual([1, undefined]);
    expectProblem(stderr, /3 requests in a row got no answer, the last one with ECONNREFUSED; nothing was/);
  });

  test('at the limit of requests', async () => {
    const { url, requests } = await serviceWith(404);
    const { code, stderr } = await probed(url, '--max-requests', '5');
    expect([code, requests.length]).toEqual([1, 5]);
    expectProblem(stderr, /stopped: reached the limit of 5 requests; nothing was written/);
  });

  test('before the first request, if its file cannot be written', async () => {
    const { url, requests } = await serviceWith(404);
    const folder = await temporaryFolder();
    const missing = join(folder, 'none', 'found.json');
    const { code, stdout, stderr } = await run(
      ['probe', '--base-url', url, '--out', missing, ...fast],
      keyed,
    );
    expect([code, stdout, requests]).toEqual([1, '', []]);
    expectProblem(stderr, /: expected to write .*found\.json, got ENOENT\.\n$/);
    const taken = await run(['probe', '--base-url', url, '--out', folder, ...fast], keyed);
    expect(taken.code).toBe(1);
    expectProblem(
      taken.stderr,
      /: expected to write a new file, but .* exists\. Replace it with --force, or name/,
    );
    expect(requests).toEqual([]);
  });
});

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
