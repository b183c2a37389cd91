/** The program `payments-client probe`, over real HTTP: its requests and its findings. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PaymentsClient } from 'payments-client';
import { afterEach, describe, expect, test } from 'vitest';
import {
  expectNoKey,
  expectProblem,
  fast,
  linesOf,
  liveKey,
  probed,
  seeded,
  serviceWith,
  temporaryFolder,
  testKey,
} from './probing.ts';
import { endAll, run } from './support.ts';

afterEach(endAll);

describe('a probe', () => {
  test('prints a line of JSON for each gap, and writes the same findings each time', async () => {
    const sandbox = await seeded({ interface: { itemsField: 'rows', maxLimit: 50 } });
    const before = sandbox.transactions.length;
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
      baseUrl: sandbox.url,
      secretKey: testKey,
      interface: JSON.parse(file ?? ''),
    });
    expect((await client.customers.list({ limit: 2 })).items).toHaveLength(2);

    expect((await probed(sandbox.url, '--create', '--form')).file).toBe(file);
    expect(sandbox.transactions).toHaveLength(before);
    const made = sandbox.requests.filter(({ method, status }) => method !== 'GET' && Number(status) < 300);
    expect(new Set(made.map(({ operation }) => operation))).toEqual(
      new Set(['customers.create', 'customers.delete', 'checkoutSessions.create', 'transact.submit']),
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

  test('reads its URL and key from the file of --env, with any line ends, without overriding set variables', async () => {
    const { url } = await seeded();
    const folder = await temporaryFolder();
    const [file, out] = [join(folder, '.env'), join(folder, 'found.json')];
    const lines = [
      `PAYMENTS_BASE_URL=${url}`,
      `PAYMENTS_SECRET_KEY="${testKey}"`,
      'PAYMENTS_INTERFACE=none',
      '',
    ];
    await writeFile(file, lines.join('\r\n'));
    const ended = await run(['probe', '--env', file, '--out', out, ...fast]);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('found.json after')]);
    const refused = await run(['probe', '--create', '--env', file], { PAYMENTS_SECRET_KEY: liveKey });
    expectProblem(refused.stderr, /expected a test key with --create/);
  });

  test('sends requests below the path of its base URL', async () => {
    const { url, requests } = await serviceWith(404);
    await probed(`${url}/gateway/`);
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.every(({ path }) => path?.startsWith('/gateway/v1/'))).toBe(true);
  });
});
