/** The tests that a receiver passes on every server. */

import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deliveryOf, paidEvent, type SignedDelivery, signed } from './deliveries.ts';
import type { Start } from './running.ts';
import { disconnectHalfway, flood, send, sendByteByByte, sendWhenAsked, summary } from './send.ts';
import { maxBodyBytes } from './shop.ts';

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const idIn = ({ body }: SignedDelivery): string => JSON.parse(body).id;

/** A delivery of an exact number of bytes. */
function deliveryOfLength(bytes: number): Promise<SignedDelivery> {
  return deliveryOf(JSON.stringify(paidEvent()).padEnd(bytes, ' '));
}

/** Bodies that change if they are parsed and serialized again. */
const bodies: readonly { readonly what: string; readonly note: string; body(): string }[] = [
  {
    what: 'non-ASCII',
    note: 'São Paulo, Ωμέγα, 東京, עברית',
    body: () => JSON.stringify(paidEvent('São Paulo, Ωμέγα, 東京, עברית')),
  },
  {
    what: 'escaped Unicode',
    note: 'é🍵/',
    body: () => JSON.stringify(paidEvent('NOTE')).replace('NOTE', '\\u00e9\\ud83c\\uDF75\\/'),
  },
  {
    what: 'odd white space',
    note: 'a payment',
    body: () => ` \t\n${JSON.stringify(paidEvent(), undefined, '\t')}\n\n \r `,
  },
  {
    what: 'CRLF',
    note: 'a payment',
    body: () => `${JSON.stringify(paidEvent(), undefined, 2).replaceAll('\n', '\r\n')}\r\n`,
  },
  { what: 'emoji', note: '🍵👩‍👩‍👧🇧🇷', body: () => JSON.stringify(paidEvent('🍵👩‍👩‍👧🇧🇷')) },
];

function describeHandling(start: Start): void {
  it('a delivery once, typed, and acknowledges its duplicates with 2xx', async () => {
    const { url, calls } = await start();
    const delivery = await deliveryOf();
    expect(summary(await send(url, delivery))).toBe('200 handled');
    expect(summary(await send(url, delivery))).toBe('200 duplicate');
    expect(summary(await send(url, await deliveryOf(delivery.body)))).toBe('200 duplicate');
    const bytes = latin1(delivery.body);
    const handled = { id: idIn(delivery), type: 'payment_intent.succeeded', amount: 1200, note: 'a payment' };
    expect(await calls()).toEqual({ handled: [{ ...handled, attempt: 1, bytes }], failures: [] });
  });

  it('a delivery again after its handler threw', async () => {
    const { url, calls } = await start();
    const delivery = await deliveryOf(JSON.stringify(paidEvent('fail at first')));
    expect(summary(await send(url, delivery))).toBe('500 failed');
    expect(summary(await send(url, delivery))).toBe('200 handled');
    const { handled, failures } = await calls();
    expect(handled.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(failures).toEqual([{ outcome: 'failed', message: 'Error: no database' }]);
  });

  it('one of two concurrent deliveries of an event', async () => {
    const { url, calls } = await start();
    const delivery = await deliveryOf();
    const replies = await Promise.all([send(url, delivery), send(url, delivery)]);
    const outcomes = replies.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1);
    expect(outcomes).toContainEqual(expect.stringMatching(/^(duplicate|in_progress)$/));
    expect((await calls()).handled).toHaveLength(1);
  });

  it('several events concurrently', async () => {
    const { url, calls } = await start();
    const deliveries = await Promise.all(Array.from({ length: 8 }, () => deliveryOf()));
    const replies = await Promise.all(deliveries.map((delivery) => send(url, delivery)));
    expect(replies.map(summary)).toEqual(deliveries.map(() => '200 handled'));
    const ids = (await calls()).handled.map(({ id }) => id);
    expect(ids.sort()).toEqual(deliveries.map(idIn).sort());
  });
}

function describeBytes(start: Start, ignoresExpect: boolean): void {
  it.each(bodies)('of $what', async ({ body, note }) => {
    const { url, calls } = await start();
    const delivery = await deliveryOf(body());
    expect(summary(await send(url, delivery))).toBe('200 handled');
    expect((await calls()).handled).toMatchObject([{ note, bytes: latin1(delivery.body) }]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    undefined,
  ])('of content type %s', async (contentType) => {
    const { url, calls } = await start();
    const body = bodies[0]?.body() ?? '';
    const headers = await signed(body, contentType);
    expect(summary(await send(url, { body, headers }))).toBe('200 handled');
    expect(summary(await send(url, { body, headers, chunkBytes: 100 }))).toBe('200 duplicate');
    expect((await calls()).handled).toMatchObject([{ bytes: latin1(body) }]);
  });

  it.each([1, 1000])('sent chunked, %i bytes at a time, without a length', async (chunkBytes) => {
    const { url, calls } = await start();
    const delivery = await deliveryOf(bodies[4]?.body());
    expect(summary(await send(url, { ...delivery, chunkBytes }))).toBe('200 handled');
    expect((await calls()).handled).toMatchObject([{ bytes: latin1(delivery.body) }]);
  });

  it('sent one byte per TCP write', async () => {
    const { url, calls } = await start();
    const { body, headers } = await deliveryOf(bodies[0]?.body());
    expect(summary(await sendByteByByte(url, headers, body))).toBe('200 handled');
    expect((await calls()).handled).toMatchObject([{ bytes: latin1(body) }]);
  });

  it.skipIf(ignoresExpect)('sent after 100 Continue', async () => {
    const { url, calls } = await start();
    const { body, headers } = await deliveryOf();
    expect(summary(await sendWhenAsked(url, headers, body))).toBe('200 handled');
    expect((await calls()).handled).toMatchObject([{ bytes: latin1(body) }]);
  });

  it('up to the limit', async () => {
    const { url } = await start();
    expect(summary(await send(url, await deliveryOfLength(maxBodyBytes)))).toBe('200 handled');
    const delivery = await deliveryOfLength(maxBodyBytes);
    expect(summary(await send(url, { ...delivery, chunkBytes: 10_000 }))).toBe('200 handled');
  });
}

function describeRefusals(start: Start): void {
  it('an altered body', async () => {
    const { url, calls } = await start();
    const { body, headers } = await deliveryOf();
    const altered = body.replace('1200', '9200');
    expect(summary(await send(url, { body: altered, headers }))).toBe('400 refused no_match');
    expect(await calls()).toMatchObject({
      handled: [],
      failures: [{ outcome: 'refused', reason: 'no_match' }],
    });
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('one without %s', async (name) => {
    const { url, calls } = await start();
    const { body, headers } = await deliveryOf();
    const { [name]: _, ...others } = headers;
    expect(summary(await send(url, { body, headers: others }))).toBe('400 refused missing_header');
    expect((await calls()).handled).toEqual([]);
  });

  it('an empty body, signed or not, with a length or without', async () => {
    const { url, calls } = await start();
    const headers = await signed('');
    expect(summary(await send(url, { headers, body: '' }))).toBe('500 failed');
    expect(summary(await send(url, { headers }))).toBe('500 failed');
    expect(summary(await send(url, { headers, chunkBytes: 1 }))).toBe('500 failed');
    const untyped = await signed('', undefined);
    expect(summary(await send(url, { headers: untyped, body: '' }))).toBe('500 failed');
    expect(summary(await send(url, { body: '' }))).toBe('400 refused missing_header');
    expect((await calls()).handled).toEqual([]);
  });

  it('a body that was compressed, because the signature covers the bytes as sent', async () => {
    const { url, calls } = await start();
    const body = JSON.stringify(paidEvent());
    const gzip = gzipSync(body);
    const compressed = { 'content-encoding': 'gzip' };
    const before = await send(url, { body: gzip, headers: { ...(await signed(body)), ...compressed } });
    expect(summary(before)).toBe('400 refused no_match');
    const after = await send(url, { body: gzip, headers: { ...(await signed(gzip)), ...compressed } });
    expect(summary(after)).toBe('500 failed');
    expect((await calls()).handled).toEqual([]);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])(
    '%s, and lists the allowed method',
    async (method) => {
      const { url, calls } = await start();
      const delivery = await deliveryOf();
      const sent = /^P/.test(method) ? { ...delivery, method } : { method, headers: delivery.headers };
      const { status, headers, body } = await send(url, sent);
      expect({ status, allow: headers['allow'], body }).toEqual({ status: 405, allow: 'POST', body: '' });
      expect(await calls()).toEqual({ handled: [], failures: [] });
    },
  );
}

function describeSurvival(start: Start, closesFlood: boolean): void {
  it.each([
    ['one byte too large', maxBodyBytes + 1, undefined],
    ['one byte too large, without a length', maxBodyBytes + 1, 10_000],
    ['far too large', 5_000_000, undefined],
    ['far too large, without a length', 5_000_000, 50_000],
  ])('a body that is %s, and responds', async (_what, bytes, chunkBytes) => {
    const { url, calls } = await start();
    const delivery = await deliveryOfLength(bytes);
    const refused = await send(url, { ...delivery, ...(chunkBytes !== undefined && { chunkBytes }) });
    expect(summary(refused)).toBe('400 refused invalid_payload');
    expect(summary(await send(url, await deliveryOf()))).toBe('200 handled');
    const { handled, failures } = await calls();
    expect(handled).toHaveLength(1);
    expect(failures).toMatchObject([{ outcome: 'refused', reason: 'invalid_payload' }]);
    expect(failures[0]?.message).toContain(`at most ${maxBodyBytes} bytes (maxBodyBytes), got more`);
  });

  it('an endless body, and stops reading it', async () => {
    const { url, calls } = await start();
    await flood(url, await signed('x'), closesFlood ? 'closed' : 'answered');
    expect((await calls()).failures).toMatchObject([{ reason: 'invalid_payload' }]);
    expect(summary(await send(url, await deliveryOf()))).toBe('200 handled');
    expect((await calls()).handled).toHaveLength(1);
  });

  it('a connection that breaks in the middle of a body', async () => {
    const { url, calls, firstFailure } = await start();
    const { body, headers } = await deliveryOf();
    await disconnectHalfway(url, headers, body);
    if (firstFailure !== undefined) {
      expect(await firstFailure).toMatchObject({ outcome: 'refused', reason: 'invalid_payload' });
      expect((await firstFailure).message).toMatch(/expected a whole body, but the connection closed early/);
    }
    expect(summary(await send(url, { body, headers }))).toBe('200 handled');
    expect((await calls()).handled).toHaveLength(1);
  });

  it('refusals and failures on a keep-alive connection', async () => {
    const { url } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const failing = await deliveryOf(JSON.stringify(paidEvent('fail at first')));
    const wrong = { ...(await deliveryOf()), body: '{}' };
    const sent = [wrong, failing, { method: 'GET' }, failing, { ...failing, method: 'PUT' }, failing];
    const replies: string[] = [];
    for (const one of sent) {
      const reply = await send(url, { ...one, agent });
      replies.push(`${summary(reply)}${reply.reused ? ', same connection' : ''}`);
    }
    expect(replies).toEqual([
      '400 refused no_match',
      '500 failed, same connection',
      '405, same connection',
      '200 handled, same connection',
      '405, same connection',
      '200 duplicate, same connection',
    ]);
  });
}

/**
 * Runs every test on one kind of server.
 *
 * @param ignoresExpect Whether the server ignores `Expect: 100-continue`; senders then continue after a while.
 * @param closesFlood Whether the server closes the connection of a body that never ends.
 */
export function receivesOn(
  server: string,
  start: Start,
  { ignoresExpect = false, closesFlood = false } = {},
): void {
  describe(`a receiver on ${server} handles`, () => describeHandling(start));
  describe(`a receiver on ${server} gets the bytes as sent`, () => describeBytes(start, ignoresExpect));
  describe(`a receiver on ${server} refuses`, () => describeRefusals(start));
  describe(`a receiver on ${server} survives`, () => describeSurvival(start, closesFlood));
}
