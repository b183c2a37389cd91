/** Tools that replace the network: a request that one of them took may have had its effect, whatever its connection looks like. */

import { ConnectionError, PaymentsError, TimeoutError } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { saleParams } from '../../../support/fixtures.ts';
import { skipBackOff } from '../../../support/mock-service.ts';
import { client } from '../support.ts';

/** What the replaced network does with a sale, after it was told that it arrived. */
type Fate = 'lose the reply' | 'never reply' | 'approve';

/** Replaces the network for one address, until the test is over. */
export type NetworkTool = (url: string, fate: Fate, onArrival: () => void) => void;

/** Holds the client to the truth under one tool. Each tool has a file of its own, since they would replace each other. */
export function suite(name: string, replace: NetworkTool, urls: readonly string[]): void {
  describe.each(urls)(`under ${name}, a sale to %s`, (url) => {
    beforeEach(skipBackOff);

    it('whose reply is lost is unknown, and sent once', async () => {
      const arrived = vi.fn();
      replace(url, 'lose the reply', arrived);
      const error = await failureOf(client(url).transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
      expect(arrived).toHaveBeenCalledOnce();
    });

    it('that gets no reply in time is unknown, and sent once', async () => {
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

    it('that is approved is', async () => {
      replace(url, 'approve', () => {});
      expect((await client(url).transact.sale(saleParams)).approved).toBe(true);
    });
  });
}

/** An address where nothing listens, and one that no name server knows. */
export const nowhere = ['http://127.0.0.1:9', 'https://payments.test'];
