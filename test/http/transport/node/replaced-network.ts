/** Mocks of the network: a request that one of them received may have taken effect, whatever the state of its connection. */

import { ConnectionError, PaymentsError, TimeoutError } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { saleParams } from '../../../support/fixtures.ts';
import { skipBackOff } from '../../../support/mock-service.ts';
import { client } from '../support.ts';

/** What the mock does with a sale after it called `onArrival`. */
type Reaction = 'lose the reply' | 'never reply' | 'approve';

/** Mocks the network for one address until the test ends. */
export type NetworkMock = (url: string, reaction: Reaction, onArrival: () => void) => void;

/** Tests the outcomes under one mock. Each mock has its own file, because they would replace each other. */
export function suite(name: string, replace: NetworkMock, urls: readonly string[]): void {
  describe.each(urls)(`under ${name}, a sale to %s`, (url) => {
    beforeEach(skipBackOff);

    it('whose response is lost is unknown, and sent once', async () => {
      const arrived = vi.fn();
      replace(url, 'lose the reply', arrived);
      const error = await failureOf(client(url).transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
      expect(arrived).toHaveBeenCalledOnce();
    });

    it('that gets no response in time is unknown, and sent once', async () => {
      const arrived = vi.fn();
      replace(url, 'never reply', arrived);
      const { transact } = client(url, { timeout: 500 });
      const error = await failureOf(transact.sale(saleParams), TimeoutError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(arrived).toHaveBeenCalledOnce();
    });

    it('that is aborted after it arrived is unknown', async () => {
      const controller = new AbortController();
      replace(url, 'never reply', () => controller.abort());
      const sale = client(url).transact.sale(saleParams, { signal: controller.signal });
      expect(await failureOf(sale, PaymentsError)).toMatchObject({ code: 'ABORTED', outcome: 'unknown' });
    });

    it('that is approved has an approved result', async () => {
      replace(url, 'approve', () => {});
      expect((await client(url).transact.sale(saleParams)).approved).toBe(true);
    });
  });
}

/** An address without a server, and a host name that does not exist. */
export const unreachableUrls = ['http://127.0.0.1:9', 'https://payments.test'];
