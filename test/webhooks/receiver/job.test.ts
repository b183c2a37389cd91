/** Card data in a delivery: the handler of the request gets it, what is kept for later has it masked and says so. */

import fc from 'fast-check';
import { memoryStore } from 'payments-client/stores';
import type { FailedDelivery, ReceiverOptions, WebhookJob } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { cardNumber, cardNumbers, track2 } from '../../security/secrets/canaries.ts';
import { anything } from '../../support/anything.ts';
import { chargeback, envelope, webhooksAt } from '../../support/deliveries.ts';
import { bySize } from '../../support/size.ts';

const numRuns = bySize({ short: 100, all: 1000 });
const note = `card ${cardNumber}, ${track2}.`;
const masked = 'card [card-6181-masked], [card-6181-masked].';
const eventWith = (fields: object) => envelope('a.b', { id: 'x_1', ...fields });

/** A receiver whose handler fails until it works, and notes what it gets. */
function shop(options: Partial<ReceiverOptions> = {}) {
  const state = { works: false };
  const seen: { readonly object: unknown; readonly masked: boolean; readonly body: unknown }[] = [];
  const jobs: WebhookJob[] = [];
  const webhooks = webhooksAt();
  const common = { store: memoryStore(), onError: () => {}, ...options };
  const receiver = webhooks.receiver({
    ...common,
    onEvent: ({ data }, { masked, rawBody }) => {
      seen.push({ object: data.object, masked, body: JSON.parse(String(rawBody)).data.object });
      if (!state.works) throw new Error('not now');
    },
    onUnreadable: ({ rawBody, masked }) => void seen.push({ object: undefined, masked, body: rawBody }),
  });
  const endpoint = webhooks.receiver({ ...common, enqueue: (job) => void jobs.push(job) });
  const deliver = async (body: string | Uint8Array, to = receiver) =>
    (await to.handle({ body, headers: await webhooks.sign(body) })).outcome;
  const failed = async () => {
    const all: FailedDelivery[] = [];
    for await (const one of receiver.failed()) all.push(one);
    return all;
  };
  /** Returns the job of a body. */
  const jobOf = async (body: string | Uint8Array) => {
    await deliver(body, endpoint);
    return jobs.at(-1) ?? expect.fail('there is no job');
  };
  return { state, seen, receiver, deliver, failed, jobOf };
}

describe('a delivery with card data', () => {
  const event = eventWith({ note });
  const body = JSON.stringify(event);

  it('reaches its handler whole, and again masked from the failed ones, under one key', async () => {
    const { state, seen, receiver, deliver, failed } = shop();
    expect(await deliver(body)).toBe('failed');
    const [kept] = await failed();
    expect(kept).toMatchObject({ id: 'webhook.default/test//evt_1', masked: true, attempt: 1 });
    expect(kept?.body).toBe(JSON.stringify(eventWith({ note: masked })));
    await expect(receiver.dispatch(anything(kept))).rejects.toThrow('not now');
    expect(await failed()).toMatchObject([{ masked: true, body: kept?.body, attempt: 2 }]);
    state.works = true;
    expect(await receiver.dispatch(anything(kept))).toBe('handled');
    expect(await deliver(body)).toBe('duplicate');
    const [whole, hidden] = [
      { id: 'x_1', note },
      { id: 'x_1', note: masked },
    ];
    expect(seen).toEqual([
      { object: whole, masked: false, body: whole },
      { object: hidden, masked: true, body: hidden },
      { object: hidden, masked: true, body: hidden },
    ]);
  });

  it('reaches a queue masked, and its worker', async () => {
    const { state, seen, receiver, deliver, jobOf } = shop();
    state.works = true;
    const job = await jobOf(body);
    expect(job).toMatchObject({ masked: true, body: JSON.stringify(eventWith({ note: masked })) });
    expect(await receiver.dispatch(anything(JSON.parse(JSON.stringify(job))))).toBe('handled');
    expect(seen).toMatchObject([{ masked: true }]);
    expect(await deliver(body)).toBe('duplicate');
  });

  it('that is no event keeps its key, which is the same for all numbers with the same last digits', async () => {
    const numbers = [cardNumber, '4111111110086181', '4111111110166181'];
    const ids: (string | undefined)[] = [];
    for (const number of numbers) {
      const { seen, receiver, deliver, failed } = shop();
      await deliver(`maintenance of ${number}`);
      const [kept] = await failed();
      ids.push(kept?.id);
      await expect(receiver.dispatch(anything(kept))).rejects.toThrow();
      expect(await failed()).toMatchObject([{ id: kept?.id, attempt: 2 }]);
      expect(seen).toEqual([
        { object: undefined, masked: false, body: `maintenance of ${number}` },
        { object: undefined, masked: true, body: 'maintenance of [card-6181-masked]' },
      ]);
    }
    expect(new Set(ids).size).toBe(1);
  });

  it.each(['"yes"', 'false', '1'])('is no job with a mark of %s', async (mark) => {
    const { receiver, jobOf } = shop();
    const job = JSON.stringify({ ...(await jobOf(body)), masked: JSON.parse(mark) });
    await expect(receiver.dispatch(anything(JSON.parse(job)))).rejects.toThrow('expected an event');
  });
});

describe('an id', () => {
  it.each([
    ['of an event', { ...eventWith({}), id: cardNumber }],
    ['of an object', eventWith({ id: cardNumber, items: [{ id: cardNumber, orderid: cardNumber }] })],
    ['of a chargeback', { ...chargeback, chargeback_id: cardNumber, transaction_id: cardNumber }],
  ])('%s stays, whatever it looks like', async (_what, event) => {
    const body = JSON.stringify(event);
    const job = await shop().jobOf(body);
    expect(job).toEqual({ body, receivedAt: expect.any(String) });
  });

  it.each([
    ['in metadata', { metadata: { id: cardNumber } }, { metadata: { id: '[card-6181-masked]' } }],
    ['in a list', { id: [cardNumber] }, { id: ['[card-6181-masked]'] }],
  ])('%s is masked', async (_what, fields, expected) => {
    const job = await shop().jobOf(JSON.stringify(envelope('a.b', fields)));
    expect(job.body).toBe(JSON.stringify(envelope('a.b', expected)));
  });
});

describe('a body', () => {
  const plain = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean());
  /** With small numbers: a large one may be that of a card by chance. */
  const json = fc
    .jsonValue({ maxDepth: 4, stringUnit: 'grapheme' })
    .map((value): unknown =>
      JSON.parse(
        JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Math.trunc(one % 1e6) : one)),
      ),
    );

  it('without card data stays as it is, byte for byte', async () => {
    const { jobOf } = shop();
    const bodies = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array(),
      json.map((value) => JSON.stringify(value, undefined, 2)),
      json.map((value) => Buffer.from(JSON.stringify({ id: 'evt_1', type: 'a.b', value }))),
      fc.array(fc.tuple(fc.string(), plain)).map((fields) => fields.map((pair) => pair.join('=')).join('&')),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { body: kept, encoding, masked } = await jobOf(body);
        expect(Buffer.from(kept, encoding ?? 'utf8')).toEqual(Buffer.from(body));
        expect(masked).toBeUndefined();
      }),
      { numRuns },
    );
  });

  it('with card data changes there alone, and what is masked stays so', async () => {
    const { jobOf } = shop();
    const card = fc.constantFrom(...cardNumbers, ...cardNumbers.map(Number).filter(Number.isSafeInteger));
    const bodies = fc.tuple(
      json,
      card,
      json,
      fc.constantFrom('', '\ufeff', ' \n'),
      fc.constantFrom('', '"a":1,"card":2,'),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async ([before, number, after, start, more]) => {
        const text = (value: unknown) =>
          `${start}{${more}"a": ${JSON.stringify(before)}, "card" :[ ${JSON.stringify(value)}],"b":${JSON.stringify(after)}}`;
        const { body, masked } = await jobOf(text(number));
        expect(body).toBe(text(`[card-${String(number).slice(-4)}-masked]`));
        expect(masked).toBe(true);
        expect(await jobOf(body)).toMatchObject({ body });
      }),
      { numRuns },
    );
  });

  it.each([
    '4716083927506181',
    '-4716083927506181',
    '4716083927506181.0',
    '4.716083927506181e15',
    '6304917082640395711',
    '6304917082640395711.0',
    '6304917082640395711.9',
    '6.304917082640395711e18',
    '6.304917082640395711E+18',
    '6304917082640395711E0',
    '0.6304917082640395711e19',
    '0.06304917082640395711e20',
    '63049170826403957110e-1',
    '-63049170826403957.11e2',
  ])('has the number %s masked, however it is written', async (number) => {
    const last = number.includes('304917') ? '5711' : '6181';
    expect((await shop().jobOf(`{"n":${number}}`)).body).toBe(`{"n":"[card-${last}-masked]"}`);
  });

  it.each([
    ['of which digits are lost', '6304917082640395000', '[card-5000-masked]'],
    ['with zeros for digits that are not written', '6.3049170826403957e18', '[card-5700-masked]'],
  ])('has a number masked %s', async (_what, number, expected) => {
    expect((await shop().jobOf(`{"n":${number}}`)).body).toBe(`{"n":"${expected}"}`);
  });

  it.each([
    '3.5732380293913745e-266',
    '0.4716083927506181',
    '1.6304917082640395711',
    '1732381234567',
    '4716083927506182',
    '47160839275061810',
    '4716083927506181e1',
    '4716083927506181e-1',
    '55555555555544440000e-24',
    '5555555555554444000e-22',
    '6304917082640395711e1',
    '4e999999999',
    '4e-999999999',
  ])('has the number %s, which is no card', async (number) => {
    expect((await shop().jobOf(`{"n":${number}}`)).body).toBe(`{"n":${number}}`);
  });

  it('has each of two equal names masked, and deep ones', async () => {
    const { jobOf } = shop();
    const twice = `{"a":"${cardNumber}","a":1}`;
    expect((await jobOf(twice)).body).toBe('{"a":"[card-6181-masked]","a":1}');
    const deep = (value: string) => `${'[{"a":'.repeat(5000)}"${value}"${'}]'.repeat(5000)}`;
    expect((await jobOf(deep(cardNumber))).body).toBe(deep('[card-6181-masked]'));
  });

  it.each<[what: string, encode: (text: string) => Uint8Array]>([
    ['UTF-16', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16 with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['Latin 1', (text) => Buffer.from(`é ${text} ü`, 'latin1')],
  ])('in %s is masked too', async (_what, encode) => {
    const { jobOf } = shop();
    const { body, encoding, masked } = await jobOf(encode(`{"note":"${cardNumber}"}`));
    const bytes = Buffer.from(body, encoding ?? 'utf8')
      .toString('latin1')
      .replaceAll('\0', '');
    expect(bytes).toContain('[card-6181-masked]');
    expect(bytes).not.toContain('083927');
    expect(masked).toBe(true);
  });

  it.each(['\u00a0', '\u2009', '\u2011', '\u2009\u2011', '\u{1f4b3}'])(
    'that is not UTF-8 is masked in groups with %j between them, and keeps its other bytes',
    async (sign) => {
      const json = (number: string) =>
        Buffer.concat([
          Buffer.from(`{"id":"${cardNumber}","a":"ü€ `),
          Buffer.of(0x80, 0xc3, 0xff),
          Buffer.from(`","n":"é ${number} \\u00e9\\u20ac\\ud83d\\udcb3"}`),
        ]);
      const { body, encoding, masked } = await shop().jobOf(
        json(cardNumber.replace(/\d{4}(?=\d)/g, `$&${sign}`)),
      );
      expect(encoding).toBe('base64');
      expect(Buffer.from(body, 'base64')).toEqual(json('[card-6181-masked]'));
      expect(masked).toBe(true);
    },
  );
});
