/** Reads a whole body in any chunks, up to the size limit, from any `fetch` of the user. */

import fc from 'fast-check';
import { ApiError, ResponseValidationError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund } from '../../support/fixtures.ts';
import { createClient } from '../../support/mock-service.ts';
import { bySize, thorough } from '../../support/size.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Retrieves a refund whose response has this body. */
function retrieve(body: string | Bytes | ReadableStream<Bytes> | null, status = 200) {
  const fetch = async () => new Response(body, { status });
  return createClient({ fetch, maxRetries: 0 }).refunds.retrieve('rf_1');
}

/** A body of these chunks, which counts those read and records whether the rest was cancelled. */
function chunked(chunks: readonly Bytes[], end = () => Promise.resolve()) {
  const remaining = chunks.values();
  const seen = { asked: 0, cancelled: false };
  const stream = new ReadableStream<Bytes>(
    {
      pull: (controller) => {
        const { value } = remaining.next();
        if (value === undefined) return controller.close();
        seen.asked += 1;
        controller.enqueue(value);
      },
      cancel: () => {
        seen.cancelled = true;
        return end();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

const tea = { ...refund, reason: 'Tee für zwei – 茶' };
const bytes = new TextEncoder().encode(JSON.stringify(tea));

describe('a body', () => {
  it('is read whole however it is cut into chunks, within characters too', async () => {
    const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.toSorted((one, other) => one - other), bytes.length];
        const chunks = ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
        const { stream, seen } = chunked(chunks);
        expect(await retrieve(stream)).toEqual(tea);
        expect(seen).toEqual({ asked: chunks.length, cancelled: false });
      }),
      { numRuns: bySize({ short: 20, all: 200 }) },
    );
    const { stream } = chunked(Array.from(bytes, (_, index) => bytes.slice(index, index + 1)));
    expect(await retrieve(stream)).toEqual(tea);
  });

  it('of an error response may be absent', async () => {
    expect(await failureOf(retrieve(null, 400), ApiError)).toMatchObject({ status: 400, body: '' });
  });
});

describe('a body of 32 MiB', () => {
  const bound = 32 * 1024 * 1024;
  const one = new TextEncoder().encode(' ');
  const tooLong = { path: '(root)', expected: 'a body within the size bound', received: 'a longer one' };

  it('is read', async () => {
    const full = new Uint8Array(bound).fill(0x20);
    full.set(new TextEncoder().encode(JSON.stringify(refund)));
    expect(await retrieve(chunked([full]).stream)).toEqual(refund);
  });

  it('has the maximum size, even of a deletion that may be empty, and the rest is not read', async () => {
    let fail: (reason: Error) => void = () => {};
    const end = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    const { stream, seen } = chunked([new Uint8Array(bound).fill(0x20), one, one], () => end);
    const payments = createClient({ fetch: async () => new Response(stream), maxRetries: 0 });
    const error = await failureOf(payments.customers.delete('cus_1'), ResponseValidationError);
    expect(error).toMatchObject({ issues: [tooLong], outcome: 'executed' });
    expect(String(error.body).length).toBe(bound);
    expect(seen).toEqual({ asked: 2, cancelled: true });
    // The call does not wait for the cancellation, and ignores its failure.
    fail(new Error('expected nobody to hear of this'));
  });

  it('is the most that a journal records, so a repeated call asks the service again', thorough, async () => {
    const bodies = [new Uint8Array(bound + 1).fill(0x20), '{"id":"po_1"}'];
    const fetch = async () => new Response(bodies.shift());
    const payments = createClient({ fetch, maxRetries: 0, journal: createJournal({ store: memoryStore() }) });
    const request = { method: 'POST', path: '/v1/payouts', body: {}, parse: () => 'parsed' } as const;
    const by = { operationId: 'order-1' };
    await failureOf(payments.request(request, by), ResponseValidationError);
    expect(await payments.request(request, by)).toBe('parsed');
  });
});
