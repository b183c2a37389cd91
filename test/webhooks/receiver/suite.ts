/** The contract of a receiver on every server: what it gets, what it answers, and what it survives. */

import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { everyNth } from '../../support/size.ts';
import { deliveryOf, paidEvent, type SignedDelivery, signed } from './deliveries.ts';
import type { Running } from './running.ts';
import { disconnectHalfway, flood, send, sendInPieces, sendWhenAsked, summary, type ToSend } from './send.ts';
import { maxBodyBytes } from './shop.ts';

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const idIn = ({ body }: SignedDelivery): string => JSON.parse(body).id;
const json = (note?: string) => JSON.stringify(paidEvent(note));

type Send = (url: string, delivery: SignedDelivery) => ReturnType<typeof send>;

const inChunks =
  (chunkBytes: number): Send =>
  (url, delivery) =>
    send(url, { ...delivery, chunkBytes });
const inPieces: Send = (url, { headers, body }) => sendInPieces(url, headers, body);
const afterContinue: Send = (url, { headers, body }) => sendWhenAsked(url, headers, body);

/** Bodies that change if they are parsed and serialized again, each with another type and way to send it. */
const bodies: readonly (readonly [what: string, type: string | undefined, send: Send, body: () => string])[] =
  [
    ['non-ASCII text', 'application/json', send, () => json('São Paulo, Ωμέγα, 東京, עברית')],
    [
      'escaped Unicode',
      'application/json; charset=utf-8',
      inChunks(1),
      () => json('NOTE').replace('NOTE', '\\u00e9\\ud83c\\uDF75\\/'),
    ],
    [
      'odd white space',
      'application/vnd.api+json',
      inChunks(1000),
      () => ` \t\n${JSON.stringify(paidEvent(), undefined, '\t')}\n\n \r `,
    ],
    [
      'CRLF',
      'text/plain',
      send,
      () => `${JSON.stringify(paidEvent(), undefined, 2).replaceAll('\n', '\r\n')}\r\n`,
    ],
    ['torn emoji', 'application/octet-stream', inPieces, () => json('🍵👩‍👩‍👧🇧🇷'.repeat(4))],
    ['a form', 'application/x-www-form-urlencoded', send, () => json('a=b&c=d')],
    ['no content type', undefined, send, () => json('🍵')],
    ['100 Continue', 'application/json', afterContinue, () => json()],
  ];

const gzip = { 'content-encoding': 'gzip' };

/** What is refused or fails, and what the sender gets. */
const refusals: readonly (readonly [what: string, response: string, sent: () => Promise<ToSend>])[] = [
  [
    'an altered amount',
    '400 refused no_match',
    async () => {
      const { body, headers } = await deliveryOf();
      return { body: body.replace('1200', '9200'), headers };
    },
  ],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) =>
      [
        `no ${name}`,
        '400 refused missing_header',
        async () => {
          const { body, headers } = await deliveryOf();
          const { [name]: _, ...others } = headers;
          return { body, headers: others };
        },
      ] as const,
  ),
  ['an empty body', '500 failed', async () => ({ body: '', headers: await signed('') })],
  ['no body', '500 failed', async () => ({ headers: await signed('', undefined) })],
  ['an empty body in chunks', '500 failed', async () => ({ headers: await signed(''), chunkBytes: 1 })],
  ['an empty body without signature', '400 refused missing_header', async () => ({ body: '' })],
  [
    'a body that was signed before compression',
    '400 refused no_match',
    async () => {
      const { body, headers } = await deliveryOf();
      return { body: gzipSync(body), headers: { ...headers, ...gzip } };
    },
  ],
  [
    'a body that was signed after compression, which no handler can read',
    '500 failed',
    async () => {
      const body = gzipSync(json());
      return { body, headers: { ...(await signed(body)), ...gzip } };
    },
  ],
];

/** Bodies around the limit, in one piece and in chunks. */
const sizes: readonly (readonly [
  what: string,
  bytes: number,
  chunkBytes: number | undefined,
  response: string,
])[] = [
  ['of the largest size', maxBodyBytes, undefined, '200 handled'],
  ['of the largest size, in chunks', maxBodyBytes, 10_000, '200 handled'],
  ['a byte too large', maxBodyBytes + 1, undefined, '400 refused invalid_payload'],
  ['a byte too large, in chunks', maxBodyBytes + 1, 10_000, '400 refused invalid_payload'],
  ['far too large', 1_000_000, undefined, '400 refused invalid_payload'],
  ['far too large, in chunks', 1_000_000, 50_000, '400 refused invalid_payload'],
];

/** A delivery of an exact number of bytes. */
const deliveryOfLength = (bytes: number) => deliveryOf(json().padEnd(bytes, ' '));

/**
 * Runs the contract on one kind of server.
 *
 * @param start Starts a server with a shop of its own at `/w`.
 * @param options `ignoresExpect`: the server ignores `Expect: 100-continue`. `closesFlood`: it closes the connection of a body
 *   that never ends. `turn`: the short form has every second row, beginning with another one for each server.
 */
export function receivesOn(
  server: string,
  start: () => Promise<Running>,
  { ignoresExpect = false, closesFlood = false, turn = 0 } = {},
): void {
  describe(`a receiver on ${server}`, () => {
    let started: Running;
    beforeAll(async () => {
      started = await start();
      return () => started.stop?.();
    });

    /** Returns a function that returns the calls since now. */
    async function watch() {
      const before = await started.calls();
      const counts = {
        handled: before.handled.length,
        failures: before.failures.length,
        reports: before.reports.length,
        lookups: before.lookups.length,
      };
      return async () => {
        const { handled, failures, reports, lookups } = await started.calls();
        return {
          handled: handled.slice(counts.handled),
          failures: failures.slice(counts.failures),
          reports: reports.slice(counts.reports),
          lookups: lookups.slice(counts.lookups),
        };
      };
    }

    const deliver = async (sent: ToSend, url = started.url) => summary(await send(url, sent));

    it('handles a delivery once, with the secret of its address, and reports each delivery', async () => {
      const seen = await watch();
      const { body, headers } = await deliveryOf();
      const first = { body, headers: { ...headers, 'x-shop': 'tea' } };
      expect(await deliver(first, `${started.url}?v=2`)).toBe('200 handled');
      expect(await deliver(first)).toBe('200 duplicate');
      // Signed again, as the service does when it delivers again.
      expect(await deliver(await deliveryOf(body))).toBe('200 duplicate');
      const id = idIn(first);
      const path = new URL(started.url).pathname;
      expect(await seen()).toEqual({
        handled: [
          {
            id,
            type: 'payment_intent.succeeded',
            amount: 1200,
            note: 'a payment',
            attempt: 1,
            scope: 'shop',
            bytes: latin1(body),
          },
        ],
        failures: [],
        reports: [`200 handled ${id}`, `200 duplicate ${id}`, `200 duplicate ${id}`],
        lookups: [`${path}?v=2 tea`, `${path} tea`, `${path} null`],
      });
    });

    it('handles each of several concurrent events once', async () => {
      const seen = await watch();
      const deliveries = await Promise.all(Array.from({ length: 4 }, () => deliveryOf()));
      const replies = await Promise.all([...deliveries, ...deliveries].map((sent) => deliver(sent)));
      expect(replies.filter((reply) => reply === '200 handled')).toHaveLength(4);
      const others = replies.filter((reply) => reply !== '200 handled');
      for (const reply of others) expect(reply).toMatch(/^(200 duplicate|409 in_progress)$/);
      const { handled } = await seen();
      expect(handled.map(({ id }) => id).toSorted()).toEqual(deliveries.map(idIn).toSorted());
    });

    const ways = bodies.filter(([, , way]) => !ignoresExpect || way !== afterContinue);
    it.each(everyNth(ways, 2, turn))('gets the bytes as sent: %s as %s', async (_what, type, way, bodyOf) => {
      const seen = await watch();
      const body = bodyOf();
      const delivery = { body, headers: await signed(body, type) };
      expect(summary(await way(started.url, delivery))).toBe('200 handled');
      expect(await deliver({ ...delivery, chunkBytes: 100 })).toBe('200 duplicate');
      const { metadata } = JSON.parse(body).data.object;
      expect((await seen()).handled).toMatchObject([{ note: metadata.note, bytes: latin1(body) }]);
    });

    it.each(everyNth(refusals, 2, turn))('does not handle %s: %s', async (_what, response, sent) => {
      const seen = await watch();
      expect(await deliver(await sent())).toBe(response);
      const { handled, failures, reports } = await seen();
      const [, outcome, reason] = response.split(' ');
      expect({ handled, reports }).toEqual({
        handled: [],
        reports: [expect.stringMatching(`^${response.slice(0, 3)} ${outcome} undefined$`)],
      });
      expect(failures).toMatchObject([{ outcome, reason: reason ?? 'invalid_payload' }]);
    });

    it.each(everyNth(sizes, 2, turn))('answers a body %s', async (_what, bytes, chunkBytes, response) => {
      const seen = await watch();
      const sent = await deliveryOfLength(bytes);
      expect(await deliver({ ...sent, ...(chunkBytes !== undefined && { chunkBytes }) })).toBe(response);
      expect(await deliver(await deliveryOf())).toBe('200 handled');
      for (const { message } of (await seen()).failures) {
        expect(message).toContain(`at most ${maxBodyBytes} bytes (maxBodyBytes), got more`);
      }
    });

    it.each(everyNth(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'], 2, turn))(
      'refuses %s unread',
      async (method) => {
        const seen = await watch();
        const delivery = await deliveryOf();
        const sent = method.startsWith('P') ? { ...delivery, method } : { method, headers: delivery.headers };
        const { status, headers, body } = await send(started.url, sent);
        expect({ status, allow: headers['allow'], body }).toEqual({ status: 405, allow: 'POST', body: '' });
        expect(await seen()).toEqual({ handled: [], failures: [], reports: [], lookups: [] });
      },
    );

    it('stops reading an endless body', async () => {
      const seen = await watch();
      await flood(started.url, await signed('x'), closesFlood ? 'closed' : 'answered');
      expect((await seen()).failures).toMatchObject([{ reason: 'invalid_payload' }]);
      expect(await deliver(await deliveryOf())).toBe('200 handled');
    });

    it('handles nothing of a body that breaks off, and the same delivery later', async () => {
      const seen = await watch();
      const { body, headers } = await deliveryOf();
      const failure = started.nextFailure?.();
      await disconnectHalfway(started.url, headers, body);
      if (failure !== undefined) {
        expect(await failure).toMatchObject({ outcome: 'refused', reason: 'invalid_payload' });
        expect((await failure).message).toMatch(/whole body, but the connection closed early/);
      }
      expect(await deliver({ body, headers })).toBe('200 handled');
      expect((await seen()).handled).toHaveLength(1);
    });

    it('keeps a connection through refusals and failures', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const failing = await deliveryOf(json('fail at first'));
      const wrong = { ...(await deliveryOf()), body: '{}' };
      const replies: string[] = [];
      for (const sent of [
        wrong,
        failing,
        { method: 'GET' },
        failing,
        { ...failing, method: 'PUT' },
        failing,
      ]) {
        const reply = await send(started.url, { ...sent, agent });
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
  });
}
