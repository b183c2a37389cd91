/**
 * Host names that do not resolve, or resolve to several addresses. A request that was never sent is `not_executed`, and one
 * address that accepts the connection is enough.
 */

import dns from 'node:dns';
import { ConnectionError } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { closedUrl, response, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

type Resolution = string | readonly string[];

/** Replaces the system's DNS lookup by one result. Returns the names that were looked up. */
function mockLookup(resolution: Resolution): string[] {
  const lookedUp: string[] = [];
  const lookup = (hostname: string, ...rest: unknown[]) => {
    const callback = rest.at(-1);
    if (typeof callback !== 'function') throw new Error('Expected a callback for the addresses.');
    lookedUp.push(hostname);
    process.nextTick(() => {
      if (typeof resolution !== 'string') {
        callback(
          null,
          resolution.map((address) => ({ address, family: 4 })),
        );
      } else
        callback(
          Object.assign(new Error(`getaddrinfo ${resolution} ${hostname}`), {
            code: resolution,
            syscall: 'getaddrinfo',
          }),
        );
    });
  };
  vi.spyOn(dns, 'lookup').mockImplementation(Object.assign(lookup, { __promisify__: dns.promises.lookup }));
  return lookedUp;
}

beforeEach(skipBackOff);

describe.each(transports)('over %s, a sale to a host', (_name, transport) => {
  const options = { ...transport, allowInsecure: true, maxRetries: 2 };

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])('whose lookup fails with %s is retried', async (code) => {
    const lookedUp = mockLookup(code);
    const { transact } = clientOf('http://payments.invalid', options);
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 3 });
    expect(lookedUp).toEqual(Array(3).fill('payments.invalid'));
  });

  it('whose first address refuses connections is sent once, to the second', async () => {
    const { url, requests } = await startWireServer(({ write }) => write(response('200 OK', 'response=1')));
    mockLookup(['127.0.0.2', '127.0.0.1']);
    const { transact } = clientOf(`http://payments.test:${new URL(url).port}`, options);
    const { data, response: info } = await transact.sale(saleParams).withResponse();
    expect(data.approved).toBe(true);
    expect(info.attempts).toBe(1);
    expect(requests).toHaveLength(1);
  });

  it('whose addresses all refuse connections is not executed', async () => {
    mockLookup(['127.0.0.2', '127.0.0.1']);
    const { transact } = clientOf(`http://payments.test:${new URL(closedUrl).port}`, options);
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed', attempts: 3 });
  });
});

it('the system does not find a name that cannot exist', async () => {
  const { transact } = clientOf('https://payments.invalid');
  const error = await failureOf(transact.sale(saleParams), ConnectionError);
  // Without a network the lookup fails with EAI_AGAIN.
  expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(error.code);
  expect(error.outcome).toBe('not_executed');
});
