/** The program `payments-client probe` at a service that answers anything: strange ids, endless and deep bodies. */

import { afterEach, describe, expect, test } from 'vitest';
import { everyNth, thorough } from '../../../test/support/size.ts';
import {
  expectProblem,
  isCreation,
  isList,
  isOurs,
  linesOf,
  probed,
  send,
  serviceBy,
  testKey,
} from './probing.ts';
import { endAll } from './support.ts';

afterEach(endAll);

describe('an id that is not plain', () => {
  const wrong = [
    '../../../test',
    '.',
    '%2e%2e',
    'cus_1/../cus_2',
    'cus_1?all',
    ' ',
    '-',
    'cus_é',
    'c'.repeat(129),
    testKey,
  ];

  test.each(everyNth(wrong, 3))('is not sent in a path: %j', async (id) => {
    const { url, requests, changes } = await serviceBy((request, response) => {
      if (isCreation(request)) return send(response, { id, first_name: 'Probe' });
      return isList(request) && isOurs(request) ? send(response, { has_more: false, data: [{ id }] }) : false;
    });
    const { code, stdout } = await probed(url, '--create', '--json');
    expect(code).toBe(0);
    expect(new Set(changes())).toEqual(new Set(['POST /v1/customers']));
    for (const request of requests)
      expect(request).toMatch(/^[A-Z]+ (?:\/[A-Za-z\d][\w-]{0,127})+(?:\?[\w=&]+)?$/);
    const lines = linesOf(stdout);
    expect(lines.filter(({ id: gap }) => gap === 'G22' || gap === 'G59')).toEqual([
      expect.objectContaining({ id: 'G22', verdict: 'not seen' }),
      expect.objectContaining({ id: 'G59', verdict: 'not seen' }),
    ]);
    expect(lines.at(-1)).toEqual({
      left_behind: {
        path: '/v1/customers',
        reason: 'the answer to the creation has no id that can be shown',
      },
    });
    if (id === testKey) return;
    const reason = "the ids in the answers are not plain: letters, digits, '_' and '-'";
    for (const gap of ['G21', 'G22', 'G59']) {
      expect(lines).toContainEqual(expect.objectContaining({ id: gap, verdict: 'not seen', detail: reason }));
    }
  });

  test('does not hide another object of the list', async () => {
    const items = [{ id: '../charges' }, { id: 'in_2' }];
    const { url, requests } = await serviceBy((request, response) => {
      if (isList(request) && isOurs(request)) return send(response, { has_more: false, data: items });
      return request.url?.endsWith('/in_2') ? send(response, { id: 'in_2' }) : false;
    });
    const lines = linesOf((await probed(url, '--json')).stdout);
    expect(lines).toContainEqual(expect.objectContaining({ id: 'G21', detail: 'whole' }));
    expect(requests.filter((request) => request.includes('../../../test'))).toEqual([]);
  });
});

describe('a service without end', () => {
  test('ends the probe with an endless body', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const { url, requests } = await serviceBy((_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write(chunk, more);
      };
      more();
    });
    const { code, stderr, file } = await probed(url);
    expect([code, file]).toEqual([1, undefined]);
    expect(requests).toHaveLength(1);
    expectProblem(
      stderr,
      /stopped: the answers of the service are over 16 MB in all; nothing was written\.\n$/,
    );
  });

  test('ends the probe with many large bodies', thorough, async () => {
    const page = JSON.stringify({ has_more: true, data: [], more: 'a'.repeat(3_000_000) });
    const { url, requests } = await serviceBy((_, response) => void response.end(page));
    const { code, stderr } = await probed(url);
    expect([code, requests.length]).toEqual([1, 6]);
    expectProblem(stderr, /stopped: the answers of the service are over 16 MB in all/);
  });

  test('leaves out a body over 4 MB, and continues', async () => {
    const page = JSON.stringify({ has_more: true, data: [], more: 'a'.repeat(4_200_000) });
    const { url } = await serviceBy((request, response) => {
      if (request.url === '/v1/products?limit=1000') return void response.end(page);
      return isList(request) ? send(response, { has_more: false, data: [] }) : false;
    });
    const { code, stdout } = await probed(url);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^G67 .* not seen$/m);
    expect(stdout).toMatch(/^G30 .* as assumed: data$/m);
  });

  test('gets one line for any number of unknown values', thorough, async () => {
    const items = Array.from({ length: 3000 }, (_, index) => ({
      id: `in_${index}`,
      status: `status-${index}`,
    }));
    const { url } = await serviceBy((request, response) =>
      request.url === '/v1/invoices' ? send(response, { has_more: true, data: items }) : false,
    );
    const { stdout } = await probed(url);
    expect(stdout).toMatch(/^G2 .* invoice\.status 'status-49' and 950 more$/m);
  });

  test('gets no more than a few fields of a page, and no long answer of the form endpoint, read', async () => {
    const arrays = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field_${index}`, []]));
    const form = `response=3&responsetext=no such type&more=${'a'.repeat(64 * 1024)}`;
    const { url } = await serviceBy((request, response) => {
      if (request.url === '/api/transact.php') return response.end(form);
      return request.url === '/v1/invoices' ? send(response, { has_more: true, ...arrays }) : false;
    });
    const { stdout } = await probed(url, '--form');
    expect(stdout).toMatch(/^G30 .* not seen: 20 fields fit every page$/m);
    expect(stdout).toMatch(/^G29 .* not seen$/m);
  });

  test('does not end it with deep nesting, or with fields of every object', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const item = `{"id":"in_1","__proto__":{"id":"in_2"},"constructor":1,"created_at":1e999,"metadata":${deep}}`;
    const { url } = await serviceBy((request, response) => {
      if (request.url?.startsWith('/v1/products')) return response.end(deep);
      return request.url === '/v1/invoices'
        ? response.end(`{"has_more":false,"__proto__":[${item}]}`)
        : false;
    });
    const { code, stdout, file } = await probed(url);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^G30 .* not seen: 0 fields fit every page$/m);
    expect(JSON.parse(file ?? '')).toMatchObject({ errorShape: 'nested', version: 1 });
  });
});
