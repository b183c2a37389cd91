/** What the program `payments-client probe` prints for people, and what it would send. */

import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { expectNoKey, fast, keyed, linesOf, liveKey, probed, seeded, temporaryFolder } from './probing.ts';
import { endAll, run, runOnTerminal } from './support.ts';

afterEach(endAll);

test('on a terminal, shows its progress, and then a line of text in colours for each gap', async () => {
  const { url } = await seeded({ interface: { maxLimit: 50 } });
  const out = join(await temporaryFolder(), 'found.json');
  const args = ['probe', '--base-url', url, '--out', out, ...fast];
  const shown = await runOnTerminal(args, keyed);
  const [results = '', ...bars] = shown.split('\r\u001b[2K').slice(1).reverse();
  expect(bars.length).toBeGreaterThan(50);
  expect(bars.at(-1)).toMatch(/^1 {2}[A-Z]+ \/v1\/\w+/);
  for (const bar of bars) expect(bar).toMatch(/^\d+ {2}(?:GET|POST|PUT|PATCH|DELETE) \/[^\r\n]{0,75}$/);
  expect(results).toContain('\u001b[');
  const lines = stripVTControlCharacters(results).trimEnd().split('\n');
  expect(lines.pop()).toMatch(/^Wrote /);
  for (const line of lines) {
    expect(line).toMatch(/^G\d+ +\S.*(?:as assumed|differs|not seen|not asked \(needs .*\))/);
  }
  const plain = lines.join('\n');
  expect(plain).toMatch(/^G67 {2}greatest limit in the cursor form +differs: at most 50$/m);
  expect(plain).toMatch(/^G22 {2}response of a deletion +not asked \(needs --create\)$/m);
  expect(plain).toMatch(/^G56 {2}unit of timestamps +as assumed: seconds$/m);
  expectNoKey(shown);
  const asJson = await runOnTerminal([...args, '--force', '--json'], keyed);
  expect(asJson.match(/^.*\{"id":"G\d+".*\}$/gm)).toHaveLength(lines.length);
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
