/** The receiver in workerd, the runtime of Cloudflare Workers, which has no `node:crypto` here. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasWorkerd } from '../../support/workerd.ts';
import { deliveryOf } from './deliveries.ts';
import { send, summary } from './send.ts';
import { receivesOn } from './suite.ts';
import { type RunningWorker, shopIn, startWorker } from './worker-server.ts';

/** CI must not skip these tests: without the runtime they fail there with the reason. */
const isSkipped = !hasWorkerd() && (process.env['CI'] ?? '') === '';
const reason = 'skipped: workerd does not run here; set CI to make this fail';
if (isSkipped) process.stderr.write(`test/webhooks/receiver/worker.services.test.ts: ${reason}\n`);

describe.skipIf(isSkipped)(`workerd${isSkipped ? ` (${reason})` : ''}`, () => {
  let worker: RunningWorker | undefined;
  beforeAll(async () => {
    worker = await startWorker();
  });
  afterAll(() => worker?.stop());

  const started = (): RunningWorker => {
    if (worker === undefined) throw new Error('The Worker did not start.');
    return worker;
  };

  it('has no process to load node:crypto from', async () => {
    const response = await fetch(`${started().url}/any/runtime`);
    expect(await response.json()).toEqual({ hasProcess: false });
  });

  it('refuses a request whose body was already read', async () => {
    const { url, calls } = shopIn(started());
    const used = await send(url.replace(/w$/, 'used'), await deliveryOf());
    expect(summary(used)).toBe('400 refused invalid_payload');
    expect((await calls()).failures[0]?.message).toMatch(/body was already read/);
  });

  receivesOn('a Worker', async () => shopIn(started()), { ignoresExpect: true });
});
