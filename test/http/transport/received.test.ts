/** Reads a whole body in any chunks, up to the size limit, from any `fetch` of the user. */

import { ApiError, ResponseValidationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund } from '../../support/fixtures.ts';
import { createClient } from '../../support/mock-service.ts';

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
  it.each([1, 7, 100, bytes.length])('is read in chunks of %i bytes', async (size) => {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    const { stream, seen } = chunked(chunks);
    expect(await retrieve(stream)).toEqual(tea);
    expect(seen).toEqual({ asked: chunks.length, cancelled: false });
  });

  it('may have empty chunks', async () => {
    const nothing = new Uint8Array();
    const { stream } = chunked([nothing, bytes.slice(0, 9), nothing, bytes.slice(9), nothing]);
    expect(await retrieve(stream)).toEqual(tea);
  });

  it.each([
    ['is absent', null, 'an empty body'],
    ['is empty', '', 'an empty body'],
    ['is blank', ' \n ', 'an empty body'],
    ['is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'bytes that are not UTF-8'],
    ['is HTML after blanks', '\n  <html>', 'an HTML or XML page'],
    ['is text with a tag', 'see <html>', 'a text of 10 characters that is not JSON'],
  ])('that %s is reported as such', async (_what, body, received) => {
    const error = await failureOf(retrieve(body), ResponseValidationError);
    expect(error.issues).toEqual([{ path: '(root)', expected: 'a JSON body', received }]);
  });

  it('of an error response may be absent', async () => {
    expect(await failureOf(retrieve(null, 400), ApiError)).toMatchObject({ status: 400, body: '' });
  });
});

describe('a body of 32 MiB', () => {
  const bound = 32 * 1024 * 1024;
  const one = new TextEncoder().encode(' ');
  const full = new Uint8Array(bound).fill(0x20);
  full.set(new TextEncoder().encode(JSON.stringify(refund)));

  it('is read', async () => {
    expect(await retrieve(chunked([full]).stream)).toEqual(refund);
  });

  it('has the maximum size, even if more comes in another chunk', async () => {
    let fail: (reason: Error) => void = () => {};
    const end = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    const { stream, seen } = chunked([full, one, one], () => end);
    const error = await failureOf(retrieve(stream), ResponseValidationError);
    const issue = { path: '(root)', expected: 'a body within the size bound', received: 'a longer one' };
    expect(error.issues).toEqual([issue]);
    expect(String(error.body).length).toBe(bound);
    expect(seen).toEqual({ asked: 2, cancelled: true });
    // The call does not wait for the cancellation, and ignores its failure.
    fail(new Error('expected nobody to hear of this'));
  });

  const blank = new Uint8Array(bound + 1).fill(0x20);
  const by = { operationId: 'order-1' };
  const raw = { method: 'POST', path: '/v1/payouts', body: {} } as const;

  it('is the maximum of a deletion too, even if all of it is blank', async () => {
    const payments = createClient({ fetch: async () => new Response(blank), maxRetries: 0 });
    const error = await failureOf(payments.customers.delete('cus_1'), ResponseValidationError);
    expect(error.issues).toMatchObject([{ expected: 'a body within the size bound' }]);
  });

  it('is never recorded as a result, so a repeated call asks the service again', async () => {
    const bodies = [blank, '{"id":"po_1"}'];
    const fetch = async () => new Response(bodies.shift());
    const payments = createClient({ fetch, maxRetries: 0, journal: { store: memoryStore() } });
    const request = { ...raw, parse: () => 'parsed' };
    await failureOf(payments.request(request, by), ResponseValidationError);
    expect(await payments.request(request, by)).toBe('parsed');
  });
});
