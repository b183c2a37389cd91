/** Reaches inside: the program waits minutes for a delivery, the listener as long as the test sets. */

import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenForDelivery } from '../../src/probe/receive-delivery.node.ts';

async function listening() {
  const listener = await listenForDelivery(0);
  onTestFinished(() => listener.close());
  return listener;
}

/** Longer than any test takes. */
const patient = 600_000;

test('receives the first delivery, byte for byte', async () => {
  const listener = await listening();
  const body = Uint8Array.from([0, 255, 13, 10, 128]);
  const first = listener.first(patient);
  const response = await fetch(`${listener.url}/hooks`, {
    method: 'POST',
    body,
    headers: { 'X-Signature': 'a' },
  });
  expect(response.status).toBe(200);
  await fetch(listener.url, { method: 'POST', body: 'another' });
  const delivery = await first;
  expect(delivery?.headers.get('x-signature')).toBe('a');
  expect([...(delivery?.body ?? [])]).toEqual([...body]);
});

test('keeps a delivery that arrives before the call of first', async () => {
  const listener = await listening();
  await fetch(listener.url, { method: 'POST', body: 'early' });
  expect(Buffer.from((await listener.first(0))?.body ?? []).toString()).toBe('early');
});

test('ignores a request that is not a delivery', async () => {
  const listener = await listening();
  expect((await fetch(listener.url)).status).toBe(200);
  expect((await fetch(listener.url, { method: 'HEAD' })).status).toBe(200);
  expect(await listener.first(0)).toBeUndefined();
});

test('ignores an incomplete delivery', async () => {
  const listener = await listening();
  const { port } = new URL(listener.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf', () =>
    socket.destroy(),
  );
  await new Promise((resolve) => socket.once('close', resolve));
  await fetch(listener.url, { method: 'POST', body: 'whole' });
  expect(Buffer.from((await listener.first(patient))?.body ?? []).toString()).toBe('whole');
});

test('returns undefined if none arrives in time', async () => {
  expect(await (await listening()).first(1)).toBeUndefined();
});

test('ends its connections when it is closed', async () => {
  const listener = await listenForDelivery(0);
  await fetch(listener.url);
  listener.close();
  await expect(fetch(listener.url)).rejects.toThrow('fetch failed');
});

test('ends a connection in the middle of a request when it is closed', async () => {
  const listener = await listenForDelivery(0);
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  const head = 'HTTP/1.1\r\nhost: localhost\r\n';
  socket.write(`GET / ${head}\r\nPOST / ${head}content-length: 100\r\n\r\nhalf`);
  await new Promise((resolve) => socket.once('data', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  listener.close();
  await closed;
  expect(await listener.first(0)).toBeUndefined();
});

test('listens only on loopback, at the given port', async () => {
  const listener = await listening();
  expect(new URL(listener.url).hostname).toBe('127.0.0.1');
  await expect(listenForDelivery(Number(new URL(listener.url).port))).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
