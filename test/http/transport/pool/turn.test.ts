/** Reaches inside: no request can be aborted in the very moment in which it gets its turn. The place of one that is goes to the next in line. */

import { expect, it } from 'vitest';
import { ConnectionLimit } from '../../../../src/http/transport/pool.node.ts';

it.each([0, 1])('a place whose new holder is aborted as it gets it goes on, by signal %i', async (which) => {
  const limit = new ConnectionLimit(1);
  const controllers = [new AbortController(), new AbortController()] as const;
  const [one, other] = controllers;
  expect(limit.tryEnter()).toBe(true);
  const aborted = limit.waitInLine(one.signal, other.signal).then(
    () => 'entered',
    () => 'aborted',
  );
  const next = limit.waitInLine(new AbortController().signal, undefined);
  limit.leave();
  controllers[which]?.abort();
  expect(await aborted).toBe('aborted');
  await next;
  expect([limit.inUse, limit.tryEnter()]).toEqual([1, false]);
  limit.leave();
  expect([limit.inUse, limit.tryEnter()]).toEqual([0, true]);
});

it('who leaves the line before its turn gives no place away', async () => {
  const limit = new ConnectionLimit(1);
  const [controller, patient] = [new AbortController(), new AbortController()];
  expect(limit.tryEnter()).toBe(true);
  let hasEntered = false;
  const next = limit.waitInLine(patient.signal, undefined).then(() => {
    hasEntered = true;
  });
  const impatient = limit.waitInLine(controller.signal, undefined);
  controller.abort();
  await expect(impatient).rejects.toThrow('aborted');
  await new Promise(setImmediate);
  expect(hasEntered).toBe(false);
  limit.leave();
  await next;
});
