/** Bodies in any content encoding, of any content type, and in any text encoding, as bytes on both transports. */

import { gzipSync } from 'node:zlib';
import { PaymentsError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { everyNth } from '../support/size.ts';
import { startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';
import { resources } from './parsers/resources.ts';
import { newOperation } from './service.ts';
import { words } from './words.ts';

const intent = Buffer.from(JSON.stringify(paymentIntent));

describe.each(transports)('over %s, a body', (name, transport) => {
  const isFetch = name === 'fetch';

  /** Starts a service whose responses have this body, and further header fields. */
  async function start(body: Uint8Array, fields: readonly string[] = [], status = '200 OK') {
    const head = [`HTTP/1.1 ${status}`, `content-length: ${body.byteLength}`, ...fields].join('\r\n');
    const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
    const { url, requests } = await startWireServer(({ write }) => write(bytes));
    const payments = clientOf(url, transport);
    return { payments, requests, create: () => payments.paymentIntents.create(intentParams, newOperation()) };
  }

  const zipped = gzipSync(intent);
  it.each<[what: string, encoding: string, body: Uint8Array]>([
    ['that is not gzip', 'gzip', intent],
    ['that is not deflate', 'deflate', intent],
    ['that is not Brotli', 'br', intent],
    ['that is cut', 'gzip', zipped.subarray(0, zipped.length - 20)],
    ['with a wrong checksum', 'gzip', Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8, 1)])],
    [
      'with wrong bytes',
      'gzip',
      Buffer.concat([zipped.subarray(0, 40), Buffer.alloc(40), zipped.subarray(80)]),
    ],
    ['with bytes after it', 'gzip', Buffer.concat([zipped, Buffer.from('{"id":"pi_2"}')])],
  ])('%s, sent as %s, leaves a call executed, after one attempt', async (_what, encoding, body) => {
    const { create, requests } = await start(body, [`content-encoding: ${encoding}`]);
    const error = await failureOf(create(), PaymentsError);
    expect(error.outcome).toBe('executed');
    // The runtime's fetch returns the decompressed part of a cut body as if it were complete.
    expect(error.name).toMatch(isFetch ? /^(?:Connection|ResponseValidation)Error$/ : /^ConnectionError$/);
    expect(requests).toHaveLength(1);
  });

  it('that is compressed twice is decompressed, or refused as invalid JSON', async () => {
    const { create } = await start(gzipSync(zipped), ['content-encoding: gzip, gzip']);
    if (isFetch) expect((await create()).id).toBe('pi_1');
    else expect((await failureOf(create(), ResponseValidationError)).outcome).toBe('unknown');
  });

  const encodings = words('identity utf-8 aes128gcm constructor __proto__');
  const types = ['', ...words('image/png text/html;␣charset=utf-16 multipart/mixed /')];
  it.each([
    ...encodings.map((value) => `content-encoding: ${value}`),
    ...types.map((value) => `content-type: ${value}`),
  ])('of plain JSON is read, whatever its header says: %s', async (field) => {
    const { create } = await start(intent, [field]);
    expect((await create()).id).toBe('pi_1');
  });

  it.each([
    ['204 No Content', 'gzip'],
    ['200 OK', 'gzip'],
    ['200 OK', 'deflate'],
    ['200 OK', 'br'],
  ])('that is empty, in a %s with the encoding %s, deletes and pays nothing', async (status, encoding) => {
    const { payments, create } = await start(Buffer.of(), [`content-encoding: ${encoding}`], status);
    expect(await payments.customers.delete('cus_1')).toEqual({ id: 'cus_1', deleted: true });
    expect(await failureOf(create(), PaymentsError)).toMatchObject({ outcome: 'unknown' });
    expect(await failureOf(payments.transact.sale(saleParams), PaymentsError)).toMatchObject({
      outcome: 'unknown',
    });
  });

  // Those that are objects are given back by the parser's own suite.
  const kept = Object.entries(resources.corpus).flatMap(([ending, inputs]) =>
    ending === 'given' ? [] : Object.entries(inputs).map(([what, body]) => ({ what, ending, body })),
  );
  it.each(everyNth(kept, 6, name.length))(
    'of the corpus of objects is $ending: $what',
    async ({ ending, body }) => {
      const { payments } = await start(Buffer.from(body));
      const call = payments.refunds.create({ charge_id: 'ch_1' }, newOperation());
      const error = await failureOf(call, ResponseValidationError);
      expect(`refused, ${error.outcome}`).toBe(ending);
    },
  );
});
