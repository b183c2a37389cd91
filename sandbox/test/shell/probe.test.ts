/** The program `payments-client probe`, over real HTTP. What it concludes: `sandbox/test/probe`. */

import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { PaymentsClient } from 'payments-client';
import { afterEach, describe, expect, test } from 'vitest';
import { closedUrl } from '../../../test/support/socket-server.ts';
import {
  everyKey,
  expectNoKey,
  expectProblem,
  fileOf,
  keyed,
  lineFor,
  lineOf,
  linesOf,
  liveKey,
  out,
  probed,
  seeded,
  serviceBy,
  testKey,
  useFolder,
} from './probing.ts';
import { endAll, launch, run, runOnTerminal } from './support.ts';

useFolder();
afterEach(endAll);

describe('a probe', () => {
  test('prints a line of JSON for each gap, and writes the same findings each time', async () => {
    const sandbox = await seeded({ interface: { itemsField: 'rows', maxLimit: 50 } });
    const before = sandbox.transactions.length;
    const { code, stdout, stderr, file } = await probed(sandbox.url, '--create', '--form', '--json');
    expect(code).toBe(0);
    const numbers = linesOf(stdout).map(({ id }) => Number(String(id).replace(/^G/, '')));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    expect(lineOf(stdout, 'G30')).toMatchObject({ verdict: 'as assumed', detail: 'rows' });
    expect(lineOf(stdout, 'G67')).toMatchObject({ verdict: 'differs', detail: 'at most 50' });
    expect(lineOf(stdout, 'G36')).toMatchObject({ verdict: 'not asked', detail: 'needs --webhook' });
    expect(JSON.parse(file ?? '')).toMatchObject({ version: 1, itemsField: 'rows', maxLimit: 50 });
    expect(stderr).toMatch(
      /^Wrote \S+found\.json after \d+ requests\. Set PAYMENTS_INTERFACE to its path, .*\n$/,
    );
    expectNoKey(file);

    const connection = { baseUrl: sandbox.url, secretKey: testKey };
    const client = new PaymentsClient({ ...connection, interface: JSON.parse(file ?? '') });
    expect((await client.customers.list({ limit: 2 })).items).toHaveLength(2);

    // A file may have corrections by hand, so only --force replaces it.
    const again = await probed(sandbox.url, '--create', '--form');
    expect([again.code, again.stdout, again.file]).toEqual([1, '', file]);
    expect((await probed(sandbox.url, '--create', '--form', '--force')).file).toBe(file);
    expect(sandbox.transactions).toHaveLength(before);
    const made = sandbox.requests.filter(({ method, status }) => method !== 'GET' && Number(status) < 300);
    expect(new Set(made.map(({ operation }) => operation))).toEqual(
      new Set(['customers.create', 'customers.delete', 'checkoutSessions.create', 'transact.submit']),
    );
  });

  test('on a terminal, shows its progress, and then a line of text in colours for each gap', async () => {
    const { url } = await seeded({ interface: { maxLimit: 50 } });
    const shown = await runOnTerminal(lineFor(url), keyed);
    const [results = '', ...bars] = shown.split('\r\u001b[2K').slice(1).reverse();
    expect(bars.at(-1)).toMatch(/^1 {2}[A-Z]+ \/v1\/\w+/);
    for (const bar of bars) expect(bar).toMatch(/^\d+ {2}(?:GET|POST|PUT|PATCH|DELETE) \/[^\r\n]{0,75}$/);
    expect(results).toContain('\u001b[');
    const lines = stripVTControlCharacters(results).trimEnd().split('\n');
    expect(lines.pop()).toMatch(/^Wrote /);
    for (const line of lines)
      expect(line).toMatch(/^G\d+ +\S.*(?:as assumed|differs|not seen|not asked \(needs .*\))/);
    const plain = lines.join('\n');
    expect(plain).toMatch(/^G67 {2}greatest limit in the cursor form +differs: at most 50$/m);
    expect(plain).toMatch(/^G22 {2}response of a deletion +not asked \(needs --create\)$/m);
    expect(plain).toMatch(/^G56 {2}unit of timestamps +as assumed: seconds$/m);
    expectNoKey(shown);
  });

  test('only reads without --create, --form and a test key, below the path of its base URL', async () => {
    const { url, requests } = await serviceBy();
    const { code, stdout } = await run(lineFor(`${url}/gateway/`, '--json'), {
      PAYMENTS_SECRET_KEY: liveKey,
    });
    expect(code).toBe(0);
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.filter((request) => !request.startsWith('GET /gateway/v1/'))).toEqual([]);
    for (const [id, need] of [
      ['G25', 'a test key'],
      ['G22', '--create'],
      ['G62', '--form'],
    ] as const)
      expect(lineOf(stdout, id)).toMatchObject({ verdict: 'not asked', detail: `needs ${need}` });
  });

  test('reads its URL and key from the file of --env, with any line ends, without overriding set variables', async () => {
    const { url } = await seeded();
    const lines = [
      `PAYMENTS_BASE_URL=${url}`,
      `PAYMENTS_SECRET_KEY="${testKey}"`,
      'PAYMENTS_INTERFACE=none',
      '',
    ];
    const file = await fileOf(lines.join('\r\n'));
    const ended = await run(['probe', '--env', file, '--out', out, '--pace', '0']);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('found.json after')]);
    const refused = await run(['probe', '--create', '--env', file], { PAYMENTS_SECRET_KEY: liveKey });
    expectProblem(refused.stderr, /expected a test key with --create/);
  });

  test('with --sale, also asks of the form, and voids what it sold', async () => {
    const sandbox = await seeded();
    const before = new Set(sandbox.transactions.map(({ id }) => id));
    const { code, stdout } = await probed(sandbox.url, '--sale', '--json');
    expect(code).toBe(0);
    expect(lineOf(stdout, 'G62')).toMatchObject({ verdict: 'as assumed' });
    expect(lineOf(stdout, 'G82')).toMatchObject({
      verdict: 'not seen',
      detail: expect.stringContaining('states no amount'),
    });
    const made = sandbox.transactions.filter(({ id }) => !before.has(id));
    expect(made.map(({ amount, status }) => [amount, status])).toEqual([
      ['0.00', 'validated'],
      ['1.01', 'voided'],
    ]);
    expect(linesOf(stdout).filter((line) => 'left_behind' in line)).toEqual([]);
  });

  test('prints what it could not delete', async () => {
    let created = 0;
    const { url } = await serviceBy(({ method, url: path }, response) => {
      if (method === 'DELETE' && path === '/v1/customers/cus_1') return response.writeHead(405).end();
      if (method !== 'POST' || path !== '/v1/customers') return false;
      created += 1;
      return created % 2 === 0
        ? response.writeHead(502).end()
        : response.end('{"id":"cus_1","object":"customer","first_name":"Probe"}');
    });
    const [deletion, creation] = ['its deletion got a 405', 'the creation got a 502, and may have succeeded'];
    const { code, stdout } = await probed(url, '--create');
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(-3)).toEqual([
      `Left behind: an object of /v1/customers without a known id (${creation}). Delete or void it by hand.`,
      `Left behind: /v1/customers/cus_1 (${deletion}). Delete or void it by hand.`,
      '',
    ]);
    const asJson = await probed(url, '--create', '--json', '--force');
    expect(linesOf(asJson.stdout).slice(-2)).toEqual([
      { left_behind: { path: '/v1/customers', reason: creation } },
      { left_behind: { path: '/v1/customers', id: 'cus_1', reason: deletion } },
    ]);
  });

  test.each([
    ['every request', ['--create', '--form'], keyed, /^POST \/v1\/customers \(a test object\)$/m],
    ['only reads with a live key', [], { PAYMENTS_SECRET_KEY: liveKey }, undefined],
  ])('--dry-run lists %s without a URL, sends none and writes nothing', async (_, more, key, write) => {
    const { code, stdout, stderr } = await run(['probe', '--dry-run', '--out', out, ...more], {
      ...everyKey,
      ...key,
    });
    expect([code, existsSync(out)]).toEqual([0, false]);
    const requests = stdout.trimEnd().split('\n');
    expect(requests).toContain('GET /v1/products?limit=1000');
    expect(requests.filter((request) => !request.startsWith('GET /v1/')).length > 0).toBe(
      write !== undefined,
    );
    if (write !== undefined) expect(stdout).toMatch(write);
    expect(stderr).toContain(`At most these ${requests.length} requests.`);
    expectNoKey(stdout, stderr);
  });
});

describe('a probe stops, and writes nothing', () => {
  test.each([
    [401, /: stopped: the service answered 401: it does not accept the key; nothing was written\.\n$/],
    [429, /: stopped: the service answered 429: it asks for fewer requests; nothing was written\.\n$/],
  ])('at a %i', async (status, message) => {
    const echo = `{"error":{"code":"NO","message":"not with ${testKey}"}}`;
    const { url, requests } = await serviceBy((_, response) => response.writeHead(status).end(echo));
    // A listener does not keep it waiting.
    const { code, stderr, file } = await probed(url, '--webhook');
    expect([code, file, requests.length]).toEqual([1, undefined, 1]);
    const [address = '', ...problem] = stderr.split('\n');
    expect(address).toMatch(/^Have the service deliver an event to http:/);
    expectProblem(problem.join('\n'), message);
  });

  test('where nothing listens, and at the limit of requests', async () => {
    const silent = await probed(closedUrl);
    expect([silent.code, silent.file]).toEqual([1, undefined]);
    expectProblem(
      silent.stderr,
      /3 requests in a row got no usable answer, the last one with ECONNREFUSED; nothing/,
    );
    const { url, requests } = await serviceBy();
    const limited = await probed(url, '--max-requests', '5');
    expect([limited.code, limited.file, requests.length]).toEqual([1, undefined, 5]);
    expectProblem(limited.stderr, /stopped: reached the limit of 5 requests; nothing was written/);
  });

  test('when it is interrupted, after it deleted what it created', async () => {
    let asked = 0;
    let interrupt = () => {};
    const { url, requests } = await serviceBy(({ method, url: path }, response) => {
      if (method === 'POST' && path === '/v1/customers')
        return response.end('{"id":"cus_1","first_name":"Probe"}');
      asked += 1;
      if (asked === 3) interrupt();
      return false;
    });
    const program = launch(lineFor(url, '--create'), keyed);
    interrupt = () => void program.stop();
    const { code, stderr } = await program.ended;
    expect([code, existsSync(out), requests.at(-1)]).toEqual([1, false, 'DELETE /v1/customers/cus_1']);
    expectProblem(stderr, /stopped: it was interrupted; nothing was written\.\n$/);
  });
});
