/** The program `payments-client probe` at a service that repeats keys: none is printed, written or sent in a path. */

import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  isCreation,
  isList,
  isOurs,
  linesOf,
  probed,
  send,
  serviceBy,
  temporaryFolder,
  testKey,
  webhookSecret,
} from './probing.ts';
import { endAll } from './support.ts';

afterEach(endAll);

const squeezed = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '');

/** Expects no ten characters of a spelling in a row, whatever separates them. */
function expectNoTrace(spelling: string, ...texts: readonly (string | undefined)[]): void {
  const trace = squeezed(spelling);
  const runs = Array.from({ length: trace.length - 9 }, (_, at) => trace.slice(at, at + 10));
  const text = squeezed(texts.join(' '));
  expect(runs.filter((run) => text.includes(run))).toEqual([]);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a service that repeats a key in every place', () => {
  test.each([
    ['as it is', testKey],
    ['in capitals', testKey.toUpperCase()],
    ['in two lines', `${testKey.slice(0, 17)}\n${testKey.slice(17)}`],
    ['percent-encoded', Array.from(testKey, (one) => `%${one.charCodeAt(0).toString(16)}`).join('')],
    ['in base64', base64(testKey)],
    ['in base64 of a longer text', base64(`x${testKey}`)],
    ['in base64 after two characters', base64(`xx${testKey}`)],
    ['in hexadecimal', Buffer.from(testKey).toString('hex')],
    ['as a webhook secret', webhookSecret],
  ])('%s', async (_, spelling) => {
    const echo = {
      id: spelling,
      status: spelling,
      state: spelling,
      first_name: 'Probe',
      metadata: { [spelling]: { [spelling]: 1 } },
      [spelling]: [spelling],
    };
    const { url, requests } = await serviceBy((request, response) => {
      response.setHeader('x-correlation-id', encodeURIComponent(spelling));
      response.setHeader('location', `/${encodeURIComponent(spelling)}`);
      if (request.url?.includes('transact'))
        return void response.end(`response=${spelling}&responsetext=${spelling}`);
      if (isCreation(request)) return send(response, echo);
      if (isList(request) && isOurs(request))
        return send(response, { has_more: false, [spelling]: [echo, echo] });
      response.writeHead(isOurs(request) ? 302 : 400);
      return send(response, { error: { code: spelling, message: spelling }, [spelling]: spelling });
    });
    const { code, stdout, stderr, file, out } = await probed(url, '--create', '--form');
    expect(code).toBe(0);
    expect(stdout).toContain('Left behind: an object of /v1/customers without a known id');
    expectNoTrace(spelling, stdout, stderr.replace(out, ''), file, ...requests);
    expectNoTrace(testKey, stdout, stderr.replace(out, ''), file, ...requests);
  });

  test('in parts, one in each object', async () => {
    const parts = testKey.slice(6).match(/.{7}/g) ?? [];
    const items = parts.map((status, index) => ({ id: `in_${index}`, status, metadata: { [status]: {} } }));
    const { url } = await serviceBy((request, response) =>
      isList(request) && isOurs(request) ? send(response, { has_more: false, data: items }) : false,
    );
    const { stdout } = await probed(url, '--json');
    const hidden = { verdict: 'not seen', detail: 'the answers repeat a secret, which is not shown' };
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ id: 'G2', ...hidden }));
    for (const part of parts) expect(stdout).not.toContain(part);
  });

  test('in the name of a header that signs a delivery', async () => {
    const { url } = await serviceBy(() => false);
    const name = `x-${webhookSecret.toLowerCase().replaceAll('_', '-')}`;
    const signature = createHmac('sha256', webhookSecret).update('{}').digest('hex');
    const recorded = join(await temporaryFolder(), 'delivery.txt');
    await writeFile(recorded, `${name}: ${signature}\r\ncontent-length: 2\r\n\r\n{}`);
    const { stdout, file, code } = await probed(url, '--webhook', recorded);
    expect([code, JSON.parse(file ?? '')]).toEqual([0, expect.not.objectContaining({ webhooks: {} })]);
    expect(stdout).toMatch(/^G36 .* not seen: the answers repeat a secret/m);
    expectNoTrace(webhookSecret, stdout, file);
  });
});
