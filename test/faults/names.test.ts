/** Names that lead nowhere, or to several addresses: what never left is known as such, and one address that answers is enough. */

import dns from 'node:dns';
import { ConnectionError } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { closedUrl, response, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

type Resolution = string | readonly string[];

/** What the system says of each name, whatever it is asked. Answers with the names that were asked for. */
function resolveNamesTo(resolution: Resolution): string[] {
  const asked: string[] = [];
  const lookup = (hostname: string, ...rest: unknown[]) => {
    const done = rest.at(-1);
    if (typeof done !== 'function') throw new Error('Nobody waits for the addresses.');
    asked.push(hostname);
    process.nextTick(() => {
      if (typeof resolution !== 'string') {
        done(
          null,
          resolution.map((address) => ({ address, family: 4 })),
        );
      } else
        done(
          Object.assign(new Error(`getaddrinfo ${resolution} ${hostname}`), {
            code: resolution,
            syscall: 'getaddrinfo',
          }),
        );
    });
  };
  vi.spyOn(dns, 'lookup').mockImplementation(Object.assign(lookup, { __promisify__: dns.promises.lookup }));
  return asked;
}

beforeEach(skipBackOff);

describe.each(transports)('over %s, a sale to a host', (_name, transport) => {
  const options = { ...transport, allowInsecure: true, maxRetries: 2 };

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])(
    'that the system answers with %s for is tried again',
    async (code) => {
      const asked = resolveNamesTo(code);
      const { transact } = clientOf('http://payments.invalid', options);
      const error = await failureOf(transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'not_executed', attempts: 3 });
      expect(asked).toEqual(Array(3).fill('payments.invalid'));
    },
  );

  it('whose first address refuses is sent once, to the second', async () => {
    const { url, requests } = await startWireServer(({ write }) => write(response('200 OK', 'response=1')));
    resolveNamesTo(['127.0.0.2', '127.0.0.1']);
    const { transact } = clientOf(`http://payments.test:${new URL(url).port}`, options);
    const { data, response: info } = await transact.sale(saleParams).withResponse();
    expect(data.approved).toBe(true);
    expect(info.attempts).toBe(1);
    expect(requests).toHaveLength(1);
  });

  it('all of whose addresses refuse never left', async () => {
    resolveNamesTo(['127.0.0.2', '127.0.0.1']);
    const { transact } = clientOf(`http://payments.test:${new URL(await closedUrl()).port}`, options);
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed', attempts: 3 });
  });
});

it('a name that can never exist is not found by the system itself', async () => {
  const { transact } = clientOf('https://payments.invalid');
  const error = await failureOf(transact.sale(saleParams), ConnectionError);
  // Without a network the system cannot tell, and says to ask again.
  expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(error.code);
  expect(error.outcome).toBe('not_executed');
});
