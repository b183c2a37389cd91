/** Reaches inside: a service cannot be made to print every spelling, and none of them may be taken for another word. */

import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { routes } from '../../../src/resources/routes.ts';
import { everyNth } from '../../../test/support/size.ts';
import { keyFinder } from '../../src/probe/keys.ts';
import { probe } from '../../src/probe/probe.ts';
import { readWebhookForm } from '../../src/probe/webhook-form.ts';
import { everything, lineOf, probeBy, serviceOf, unknownPath } from './support.ts';

const key = 'sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
const holdsKey = keyFinder([key, 'sec_9HqLyjWDarjtT1zdp7dcXy']);
const bytes = (text: string) => Buffer.from(text);

test.each([
  ['as it is', key],
  ['within another word', `customer_${key}_1`],
  ['in part', key.slice(12, 24)],
  ['in capitals', key.toUpperCase()],
  ['with separators', key.match(/.{1,4}/g)?.join("', '") ?? ''],
  ['in base64', bytes(key).toString('base64')],
  ['in base64 after a character', bytes(`x${key}`).toString('base64')],
  ['in base64 after two characters', bytes(`xy${key}`).toString('base64')],
  ['in base64 for URLs', bytes(`xy${key}`).toString('base64url')],
  ['in hexadecimal', bytes(key).toString('hex').toUpperCase()],
  ['of the other kind', 'SEC-9HQLYJWDARJTT1ZDP7DCXY'],
  ['that is not known, but looks like one', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
])('finds a key %s', (_, text) => {
  expect(holdsKey(text)).toBe(true);
});

test('finds none in paths, in words of services, and in ids', () => {
  const ids = ['cus_NffrFeUfNV2Hib', '6f1c1c1e-8f7a-4d7b-9d55-3f1b2a6c7d8e', 'obj_0001', '174927462'];
  const words = ['data', 'results', 'requires_capture', 'x-correlation-id', 'sk_', 'secondary_key'];
  const paths = Object.values(routes).map(({ path }) => path);
  expect([...ids, ...words, ...paths].filter(holdsKey)).toEqual([]);
});

test('a text too long to be searched counts as holding one', () => {
  expect(holdsKey('a'.repeat(8 * 1024))).toBe(false);
  expect(holdsKey('a'.repeat(8 * 1024 + 1))).toBe(true);
});

describe('a service that repeats a key in every place', () => {
  const squeezed = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '');

  /** Expects no ten characters of a spelling in a row, whatever separates them. */
  function expectNoTrace(spelling: string, ...shown: readonly unknown[]): void {
    const trace = squeezed(spelling);
    const runs = Array.from({ length: trace.length - 9 }, (_, at) => trace.slice(at, at + 10));
    const text = squeezed(JSON.stringify(shown));
    expect(runs.filter((run) => text.includes(run))).toEqual([]);
  }

  test.each(
    everyNth(
      [
        ['as it is', key],
        ['in two lines', `${key.slice(0, 17)}\n${key.slice(17)}`],
        ['in base64 of a longer text', bytes(`x${key}`).toString('base64')],
        ['in capitals', key.toUpperCase()],
        ['in hexadecimal', bytes(key).toString('hex')],
      ],
      2,
    ),
  )('%s: none is reported, or sent in a path', async (_, spelling) => {
    const asked: unknown[] = [];
    const echo = {
      id: spelling,
      status: spelling,
      first_name: 'Probe',
      metadata: { [spelling]: { [spelling]: 1 } },
      [spelling]: [spelling],
    };
    const ask = serviceOf(async ({ method, url }) => {
      const headers = {
        'x-correlation-id': encodeURIComponent(spelling),
        location: `/${encodeURIComponent(spelling)}`,
      };
      const { pathname } = new URL(url);
      const answer = (body: unknown, status = 200) => Response.json(body, { status, headers });
      if (pathname.endsWith('.php'))
        return new Response(`response=${spelling}&responsetext=${spelling}`, { headers });
      if (method === 'POST' && pathname === '/v1/customers') return answer(echo);
      if (pathname.includes('payments_client_probe'))
        return answer({ error: { code: spelling, message: spelling } }, 400);
      return method === 'GET' ? answer({ has_more: false, [spelling]: [echo, echo] }) : answer(echo, 302);
    });
    const report = await probeBy(
      (question) => {
        asked.push(question);
        return ask(question);
      },
      everything,
      [key],
    );
    expect(report.leftovers).toMatchObject([{ path: '/v1/customers', id: undefined }]);
    expectNoTrace(spelling, report, asked);
    expectNoTrace(key, report, asked);
  });

  const hidden = { verdict: 'not seen', detail: 'the answers repeat a secret, which is not shown' };

  test('in parts, one in each object', async () => {
    const parts = key.slice(6).match(/.{7}/g) ?? [];
    const items = parts.map((status, index) => ({ id: `in_${index}`, status, metadata: { [status]: {} } }));
    const ask = serviceOf(async ({ url }) =>
      new URL(url).pathname === '/v1/invoices'
        ? Response.json({ has_more: false, data: items })
        : unknownPath(),
    );
    const report = await probeBy(ask, new Set(), [key]);
    expect(lineOf(report, 'G2')).toMatchObject(hidden);
    for (const part of parts) expect(JSON.stringify(report)).not.toContain(part);
  });

  test('in the name of a header that signs a delivery', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = bytes('{}');
    const name = `x-${secret.toLowerCase().replaceAll('_', '-')}`;
    const headers = new Map([[name, createHmac('sha256', secret).update(body).digest('hex')]]);
    expect(await readWebhookForm({ headers, body }, secret)).toMatchObject({ verdict: 'differs' });
    const report = await probe({
      allows: new Set(),
      keys: [secret],
      ask: serviceOf(async () => unknownPath()),
      pace: 0,
      maxRequests: 2000,
      onQuestion: () => {},
      webhook: () => readWebhookForm({ headers, body }, secret),
    });
    expect(lineOf(report, 'G36')).toMatchObject(hidden);
    expect(report.known.webhooks).toBeUndefined();
    expectNoTrace(secret, report);
  });
});
