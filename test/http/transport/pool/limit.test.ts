/** The connections to one host at once: what comes later waits in line, and is sent in its order or provably never. */

import { getEventListeners } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionError, PaymentsError, RequestAbortedError, TimeoutError } from 'payments-client';
import { expect, it, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../../support/fixtures.ts';
import { client, startServer } from '../support.ts';

const max = 256;
const body = JSON.stringify({ ...refund, response: 1 });

/** A service that holds each request, and the connections to it. */
async function startHoldingServer() {
  const held: { readonly path: string; readonly response: ServerResponse }[] = [];
  const open = new Set<Socket>();
  let most = 0;
  const listener: RequestListener = ({ url = '', socket }, response) => {
    open.add(socket);
    most = Math.max(most, open.size);
    socket.once('close', () => open.delete(socket));
    held.push({ path: url, response });
  };
  const url = await startServer(listener);
  const holds = (count: number) => vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 60_000 });
  /** Answers the oldest requests. */
  const answer = (count: number) => {
    for (const { response } of held.splice(0, count)) response.end(body);
  };
  return { url, held, open, holds, answer, most: () => most };
}

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `rf_${from + index}`);

it('are at most 256, also against a server that never answers, and those in line are never sent', async () => {
  const { url, held, holds, most } = await startHoldingServer();
  const { refunds, transact } = client(url, { maxRetries: 0 });
  const controller = new AbortController();
  const { signal } = controller;
  const sent = ids(max).map((id) => failureOf(refunds.retrieve(id, { signal }), RequestAbortedError));
  await holds(max);
  const inLine = ids(20).map((operationId) =>
    failureOf(refunds.create(refundParams, { operationId, signal }), RequestAbortedError),
  );
  const sale = failureOf(transact.sale(saleParams, { signal }), RequestAbortedError);
  const late = failureOf(
    refunds.create(refundParams, { operationId: 'late', timeout: 1, signal }),
    TimeoutError,
  );
  // What waited for a connection until its time was over can be sent again.
  expect(await late).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'not_executed', retryable: true });
  expect(held).toHaveLength(max);
  controller.abort();
  for (const error of await Promise.all([...inLine, sale]))
    expect(error).toMatchObject({ outcome: 'not_executed', retryable: true });
  await Promise.all(sent);
  expect([held.length, most()]).toEqual([max, max]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('go to those in line, first come, first served', async () => {
  const { url, held, holds, answer, most } = await startHoldingServer();
  const { refunds } = client(url);
  const other = client(url);
  const calls = ids(max).map((id) => refunds.retrieve(id));
  await holds(max);
  const waiting = ids(60, max);
  for (const [index, id] of waiting.entries()) calls.push((index % 2 ? refunds : other.refunds).retrieve(id));
  for (let round = 0; round < 3; round += 1) {
    answer(20);
    await holds(max);
    const arrived = held.slice(-20).map(({ path }) => path);
    expect(arrived.sort()).toEqual(
      waiting
        .slice(20 * round, 20 * (round + 1))
        .map((id) => `/v1/refunds/${id}`)
        .sort(),
    );
  }
  // A place that went to one in line is not free.
  calls.push(...ids(20, 400).map((id) => refunds.retrieve(id)));
  for (let turn = 0; turn < 5; turn += 1) await eventLoopTurn();
  answer(20);
  await holds(max);
  answer(max);
  expect(await Promise.all(calls)).toHaveLength(max + 80);
  expect(most()).toBe(max);
});

it('are left by a call that is given up, for the next in line', async () => {
  const { url, held, holds, answer } = await startHoldingServer();
  const { refunds } = client(url, { maxRetries: 0 });
  const controller = new AbortController();
  const givenUp = failureOf(refunds.retrieve('rf_0', { signal: controller.signal }), PaymentsError);
  await holds(1);
  const others = ids(max - 1, 1).map((id) => refunds.retrieve(id));
  await holds(max);
  const leaves = new AbortController();
  const left = failureOf(refunds.retrieve('rf_left', { signal: leaves.signal }), RequestAbortedError);
  const next = refunds.retrieve('rf_next');
  // By now both are in line.
  for (let turn = 0; turn < 5; turn += 1) await eventLoopTurn();
  leaves.abort();
  await left;
  controller.abort();
  await givenUp;
  await holds(max + 1);
  expect(held.at(-1)?.path).toBe('/v1/refunds/rf_next');
  answer(max + 1);
  await Promise.all([...others, next]);
});

it('count the idle ones when a sale needs a new one', async () => {
  const { url, holds, answer, open, most } = await startHoldingServer();
  const { refunds, transact } = client(url);
  const calls = ids(max).map((id) => refunds.retrieve(id));
  await holds(max);
  answer(max);
  await Promise.all(calls);
  expect(open.size).toBe(max);
  const sale = transact.sale(saleParams);
  await holds(1);
  expect([open.size, most()]).toEqual([1, max]);
  answer(1);
  expect((await sale).approved).toBe(true);
});

it('are sent over after a wait, and then a lost answer leaves the outcome unknown', async () => {
  const { url, held, holds, answer } = await startHoldingServer();
  const { refunds, transact } = client(url, { maxRetries: 0 });
  const calls = ids(max).map((id) => refunds.retrieve(id));
  await holds(max);
  const sale = failureOf(transact.sale(saleParams), ConnectionError);
  answer(1);
  await vi.waitFor(() => expect(held.at(-1)?.path).toBe('/api/transact.php'));
  held.pop()?.response.destroy();
  expect(await sale).toMatchObject({ outcome: 'unknown', retryable: false });
  answer(max);
  await Promise.all(calls);
});
