/** Each mode over a store in memory: the contract, and what needs a clock or a fault at one step. */

import { bodyHmac } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { eventOf, webhooksAt } from '../../support/deliveries.ts';
import {
  arrivals,
  type Handler,
  type MemoryTransaction,
  type Mode,
  memoryBackend,
  modes,
  openShop,
} from './modes.ts';
import { handlesOnceOver, waiting } from './suite-of-modes.ts';

handlesOnceOver('memory', async () => memoryBackend());

const failed = eventOf('refund.failed');
type Step = 'claim' | 'renew' | 'complete' | 'release' | 'record' | 'commit';
type Backend = ReturnType<typeof memoryBackend>;

/** A store of which one step fails while `isBroken`, and the transaction if that is the step. */
function breaking(step: Step) {
  const state = { isBroken: true };
  const backend = memoryBackend();
  const check = (name: Step) => {
    if (state.isBroken && name === step) throw new Error(`no ${step} today`);
  };
  const broken: Backend = {
    ...backend,
    store: {
      ...backend.store,
      claim: async (...given) => {
        check('claim');
        return backend.store.claim(...given);
      },
      complete: async (...given) => {
        check('complete');
        return backend.store.complete(...given);
      },
      release: async (...given) => {
        check('release');
        return backend.store.release(...given);
      },
      record: async (...given) => {
        check('record');
        return backend.store.record(...given);
      },
    },
    transaction: (run) =>
      backend.transaction(async (client: MemoryTransaction) => {
        await run(client);
        check('commit');
      }),
  };
  return { state, backend: broken };
}

/**
 * A step that fails, the mode, whether the handler throws too, the effects before and after it works again, and whether the store keeps
 * the delivery meanwhile.
 */
const faults: readonly [Step, Mode, throws: boolean, before: number, after: number, isKept: boolean][] = [
  ['claim', 'inline', false, 0, 1, false],
  ['complete', 'inline', false, 1, 2, false],
  ['release', 'inline', true, 1, 2, false],
  ['claim', 'completeIn', false, 0, 1, false],
  ['complete', 'completeIn', false, 0, 1, true],
  ['release', 'completeIn', true, 0, 1, false],
  ['commit', 'completeIn', false, 0, 1, true],
  ['record', 'transaction', false, 0, 1, false],
  ['commit', 'transaction', false, 0, 1, true],
  ['claim', 'transaction', true, 0, 1, false],
  ['release', 'transaction', true, 0, 1, false],
];

describe.each(arrivals)('by %s', (arrival) => {
  it.each(faults)(
    'a store that fails to %s (%s, handler throws: %s) fails the delivery, and loses and doubles nothing',
    async (step, mode, throws, before, after, isKept) => {
      const { state, backend } = breaking(step);
      const { deliver, failures, receiver } = openShop({
        mode,
        arrival,
        backend,
        handler: async (work) => {
          await work.add();
          if (throws && state.isBroken) throw new Error('no stock');
        },
        // What a transaction keeps is claimed for seconds, whatever the lease.
        options: { lease: mode === 'transaction' ? 3_600_000 : 60_000 },
      });
      expect(await deliver(failed)).toBe('failed');
      const errors = failures.map(({ error }) => String(error));
      expect(errors).toContain(`Error: no ${step} today`);
      // The last one is that of the delivery: the store's does not hide the cause.
      expect(errors.at(-1)).toBe(throws ? 'Error: no stock' : `Error: no ${step} today`);
      expect(await backend.effects()).toHaveLength(before);
      state.isBroken = false;
      const count = isKept && arrival === 'request' ? 1 : 0;
      expect(await receiver.backlog()).toMatchObject({ count });
      // Its claim may last until then.
      backend.advance(mode === 'transaction' ? 15_000 : 60_000);
      expect([await deliver(failed), await deliver(failed)]).toEqual(['handled', 'duplicate']);
      expect(await backend.effects()).toHaveLength(after);
      expect(await receiver.backlog()).toMatchObject({ count: 0, oldest: undefined });
    },
  );

  it.each(['inline', 'completeIn'] as const)(
    'a process that stops in its handler (%s) keeps its event for its lease, and no longer',
    async (mode) => {
      const backend = memoryBackend();
      const stopped = waiting();
      const common = { mode, arrival, backend, options: { lease: 60_000 } };
      const first = openShop({ ...common, handler: stopped.handler });
      const other = openShop({ ...common, handler: (work) => work.add() });
      const unanswered = first.deliver(failed);
      await stopped.reached;
      backend.advance(59_999);
      expect(await other.deliver(failed)).toBe('in_progress');
      backend.advance(1);
      expect(await other.deliver(failed)).toBe('handled');
      // It goes on, as a process that was only slow.
      stopped.end();
      expect(await unanswered).toBe('failed');
      expect(first.failures).toMatchObject([
        { error: { code: 'WEBHOOK_LEASE_LOST', outcome: 'not_an_operation' } },
      ]);
      expect(await backend.effects()).toHaveLength(mode === 'inline' ? 2 : 1);
      expect(await other.deliver(failed)).toBe('duplicate');
    },
  );

  it.each(modes)('an event is remembered for its retention, and no longer (%s)', async (mode) => {
    const backend = memoryBackend();
    const options = { retention: 7000 };
    const { deliver } = openShop({ mode, arrival, backend, handler: (work) => work.add(), options });
    expect(await deliver(failed)).toBe('handled');
    backend.advance(6999);
    expect(await deliver(failed)).toBe('duplicate');
    backend.advance(1);
    expect(await deliver(failed)).toBe('handled');
  });

  it.each(modes)('and for the tolerance more if no time is signed (%s)', async (mode) => {
    const backend = memoryBackend();
    const settings = { scheme: bodyHmac({ header: 'x-signature' }), tolerance: 500 };
    const options = { retention: 7000 };
    const handler: Handler = (work) => work.add();
    const { deliver } = openShop({ mode, arrival, backend, handler, settings, options });
    const signer = webhooksAt(settings);
    expect(await deliver(failed, signer)).toBe('handled');
    backend.advance(7500);
    expect(await deliver(failed, signer)).toBe('duplicate');
    backend.advance(1);
    expect(await deliver(failed, signer)).toBe('handled');
  });
});
