/** The contract of a receiver in each mode, by request and by job, over any store: no event is lost, and none is handled twice. */

import type { FailedDelivery } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { chargeback, envelope, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import {
  type Arrival,
  arrivals,
  type Backend,
  type Handler,
  type Mode,
  openShop,
  type Work,
} from './modes.ts';

const failed = eventOf('refund.failed');
const idle: Handler = (work) => work.add();

/** A handler that waits until the test ends it. */
export function waiting() {
  let reach = (_work: Work) => {};
  let end = () => {};
  const reached = new Promise<Work>((resolve) => {
    reach = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handler: Handler = async (work) => {
    await work.add();
    reach(work);
    await ended;
  };
  return { handler, reached, end };
}

/** Delivers as the service does, until it is acknowledged. */
export async function untilHandled(deliver: (value: unknown) => Promise<string>): Promise<string> {
  const outcome = await deliver(failed);
  return outcome === 'in_progress' || outcome === 'failed' ? untilHandled(deliver) : outcome;
}

async function listOf(list: AsyncIterable<FailedDelivery>): Promise<FailedDelivery[]> {
  const all: FailedDelivery[] = [];
  for await (const one of list) all.push(one);
  return all;
}

/** Whether an effect commits with the record of its event. */
const isAtomic = (mode: Mode) => mode !== 'inline';

/**
 * Runs the contract.
 *
 * @param over The name of the store.
 * @param start Starts an empty store, with a table of effects.
 * @param only The modes that the store supports. Default: all.
 */
export function handlesOnceOver<Client>(
  over: string,
  start: () => Promise<Backend<Client>>,
  only: readonly Mode[] = ['inline', 'completeIn', 'transaction'],
): void {
  const cells = only.flatMap((mode) => arrivals.map((arrival): [Mode, Arrival] => [mode, arrival]));

  describe.each(cells)(`%s, by %s, over ${over}`, (mode, arrival) => {
    /** Starts the store and a process. `process` starts another one on the same store. */
    async function shop(
      handler: Handler = idle,
      more: Pick<Parameters<typeof openShop<Client>>[0], 'settings' | 'options'> = {},
    ) {
      const backend = await start();
      const process = (other: Handler = handler, others = more) =>
        openShop({ mode, arrival, backend, handler: other, ...others });
      return { backend, process, ...process() };
    }

    it('handles an event once, with its context, and its repeats are duplicates', async () => {
      const works: Work[] = [];
      const { backend, deliver, failures, reports } = await shop((work) => {
        works.push(work);
        return work.add();
      });
      const outcomes = [await deliver(failed), await deliver(failed), await deliver(failed)];
      expect(outcomes).toEqual(['handled', 'duplicate', 'duplicate']);
      expect(await backend.effects()).toEqual(['evt_1']);
      expect(works).toMatchObject([
        {
          event: failed,
          operationId: 'webhook.default/test//evt_1',
          scope: undefined,
          issues: [],
          signal: { aborted: false },
        },
      ]);
      expect(JSON.parse(String(works[0]?.rawBody))).toEqual(failed);
      expect(failures).toEqual([]);
      expect(reports).toMatchObject([
        { outcome: 'handled', attempt: 1 },
        { outcome: 'duplicate', attempt: undefined },
        { outcome: 'duplicate', attempt: undefined },
      ]);
    });

    it('handles an event id once for each consumer, scope and mode', async () => {
      const operationIds = new Set<string>();
      const handler: Handler = (work) => {
        operationIds.add(work.operationId);
        return work.add();
      };
      const settings = { secrets: { platform: secret, connected: otherSecret } };
      const { backend, process } = await shop(handler, { settings });
      const signers = [secret, otherSecret].map((one) => webhooksAt({ secret: one }));
      // A chargeback without an envelope has no mode, and its id is one of a merchant's own.
      const events = [failed, { ...failed, livemode: true }, chargeback];
      for (const consumer of ['billing', 'mail']) {
        const { deliver } = process(handler, { settings, options: { consumer } });
        for (const signer of signers) {
          for (const event of events) {
            expect(await deliver(event, signer)).toBe('handled');
            expect(await deliver(event, signer)).toBe('duplicate');
          }
        }
      }
      expect([await backend.effects(), operationIds.size]).toEqual([expect.any(Array), 12]);
      expect(await backend.effects()).toHaveLength(12);
    });

    it('handles an event again after each failure, and never after a success', async () => {
      let works = false;
      const { backend, deliver, failures, reports } = await shop(async (work) => {
        await work.add();
        if (!works) throw new Error('no stock');
      });
      expect([await deliver(failed), await deliver(failed)]).toEqual(['failed', 'failed']);
      expect(await backend.effects()).toHaveLength(isAtomic(mode) ? 0 : 2);
      expect(failures).toEqual(
        Array.from({ length: 2 }, () => ({ error: new Error('no stock'), outcome: 'failed', event: failed })),
      );
      works = true;
      expect([await deliver(failed), await deliver(failed)]).toEqual(['handled', 'duplicate']);
      expect(await backend.effects()).toHaveLength(isAtomic(mode) ? 1 : 3);
      const attempts = reports.map(({ attempt }) => attempt);
      expect(attempts).toEqual([1, 2, 3, undefined]);
    });

    it('is in progress for others while a handler runs', async () => {
      const { handler, reached, end } = waiting();
      const { backend, process, deliver } = await shop(handler);
      const first = deliver(failed);
      await reached;
      // The second process would have the effect at once. A busy server may be too slow to say so in time.
      const busy = backend.advance === undefined ? ['in_progress', 'failed'] : ['in_progress'];
      expect(busy).toContain(await process(idle).deliver(failed));
      end();
      expect(await first).toBe('handled');
      expect(await process(idle).deliver(failed)).toBe('duplicate');
      expect(await backend.effects()).toEqual(['evt_1']);
    });

    it('keeps what failed by request until a dispatch handles it; a queue keeps its jobs itself', async () => {
      let works = false;
      let error: Error = Object.assign(new TypeError('no stock'), { code: 'NO_STOCK' });
      const { backend, receiver, deliver } = await shop(async (work) => {
        if (!works) throw error;
        await work.add();
      });
      await deliver(failed);
      await deliver(eventOf('refund.failed', { id: 'evt_2' }));
      const kept = await listOf(receiver.failed());
      if (arrival === 'job') {
        expect(kept).toEqual([]);
        expect(await receiver.backlog()).toMatchObject({ count: 0, oldest: undefined });
        return;
      }
      expect(kept[0]).toEqual({
        id: 'webhook.default/test//evt_1',
        body: JSON.stringify(failed),
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
        error: 'TypeError (NO_STOCK)',
        attempt: 1,
        age: expect.any(Number),
      });
      const [first, second] = kept;
      if (first === undefined || second === undefined) throw new Error('expected two kept deliveries');
      error = new RangeError('no shelf');
      await expect(receiver.dispatch(first)).rejects.toThrow('no shelf');
      expect(await listOf(receiver.failed())).toMatchObject([
        { ...first, error: 'RangeError', attempt: 2, age: expect.any(Number) },
        {},
      ]);
      works = true;
      expect(await receiver.dispatch(first)).toBe('handled');
      expect(await receiver.dispatch(first)).toBe('duplicate');
      expect(await receiver.backlog()).toMatchObject({ count: 1 });
      // The other one is discarded: it counts as handled.
      await receiver.discard(second.id);
      expect(await receiver.backlog()).toMatchObject({ count: 0, oldest: undefined });
      expect(await deliver(eventOf('refund.failed', { id: 'evt_2' }))).toBe('duplicate');
      expect(await backend.effects()).toEqual(['evt_1']);
    });

    it('never loses what it cannot read, and gives it to no handler', async () => {
      const unreadable: unknown[] = [];
      const { backend, receiver, deliver } = await shop(idle, {
        settings: { livemode: true, secrets: { acct_1: secret } },
        options: {
          onUnreadable: ({ rawBody, scope, issues }) =>
            unreadable.push([String(rawBody), scope, issues.map(({ path }) => path)]),
          onError: () => {},
        },
      });
      // Not an event, and an event of the other mode.
      for (const body of [[], failed]) {
        expect([await deliver(body), await deliver(body)]).toEqual(['failed', 'failed']);
      }
      const list = ['[]', 'acct_1', ['(root)']];
      const ofTest = [JSON.stringify(failed), 'acct_1', ['livemode']];
      expect(unreadable).toEqual([list, list, ofTest, ofTest]);
      expect(await backend.effects()).toEqual([]);
      expect(await receiver.backlog()).toMatchObject({ count: arrival === 'job' ? 0 : 2 });
    });

    it('gives an event that differs from the interface to its handler, with its issues', async () => {
      const issues: unknown[] = [];
      const { backend, deliver, failures } = await shop(
        (work) => {
          issues.push(work.issues.map(({ path }) => path));
          return work.add();
        },
        { settings: { validation: 'throw' } },
      );
      const drifted = { ...failed, created: 7, livemode: 'false' };
      const unknown = envelope('refund.escalated', {}, { id: 'evt_2' });
      expect([await deliver(drifted), await deliver(drifted), await deliver(unknown)]).toEqual([
        'handled',
        'duplicate',
        'handled',
      ]);
      expect(issues).toEqual([['created', 'livemode'], []]);
      expect(failures).toMatchObject([
        { outcome: 'handled', event: drifted, error: { reason: 'invalid_payload' } },
      ]);
      expect(await backend.effects()).toEqual(['evt_1', 'evt_2']);
    });
  });
}
