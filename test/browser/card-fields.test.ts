/** The card fields: tokens of the card-field script. */

import { loadCardFields } from 'payments-client/browser';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf, openFakePage } from './fake-page.ts';

interface Configured extends Readonly<Record<string, unknown>> {
  readonly callback: (answer: unknown) => Promise<unknown>;
  readonly onChange?: (change: unknown) => void;
}

/** Loads the fields of a script that keeps what it is configured with. */
async function load(script: object = {}, shown?: unknown) {
  const configured: Configured[] = [];
  const configure = (given: Configured) => {
    configured.push(given);
    return shown;
  };
  openFakePage(() => () => ({ CollectJS: { configure, ...script } }));
  const fields = await loadCardFields({ src: '/fields.js' });
  /** Simulates the buyer entering a card. */
  const giveCard = (answer: unknown) => configured.at(-1)?.callback(answer);
  return { fields, configured, giveCard };
}

it('return a token for each card', async () => {
  const { fields, giveCard } = await load();
  for (const token of ['tok_1', 'tok_2']) {
    const next = fields.collectToken();
    void giveCard(token);
    expect(await next).toBe(token);
  }
});

const unreadable: readonly unknown[] = [undefined, null, '', 7, {}, { token: '' }, { token: 7 }];

it.each<[answer: unknown, outcome: string]>([
  ['tok_1', 'tok_1'],
  [{ token: 'tok_1', card: { type: 'visa' } }, 'tok_1'],
  ...unreadable.map((answer): [unknown, string] => [answer, 'script_failed']),
])('%j is %s', async (answer, outcome) => {
  const { fields, giveCard } = await load();
  const next = fields.collectToken();
  void giveCard(answer);
  expect(await next.catch(({ code }) => code)).toBe(outcome);
});

it('pass on the options of the script, but never another callback', async () => {
  const { fields, configured, giveCard } = await load();
  const target = { nodeType: 1 };
  const next = fields.collectToken(
    anything({
      target,
      button: false,
      appearance: { fontSize: 18 },
      config: { variant: 'inline', callback: 'mine' },
    }),
  );
  void giveCard('tok_1');
  expect(await next).toBe('tok_1');
  expect(configured).toEqual([
    {
      target,
      button: false,
      appearance: { fontSize: 18 },
      variant: 'inline',
      callback: expect.any(Function),
    },
  ]);
});

it('give your code only what is known to have no digit of the card', async () => {
  const { fields, configured } = await load();
  const changes: unknown[] = [];
  void fields.collectToken({ onChange: (change) => changes.push(change) });
  for (const change of [{ complete: true, brand: 'visa', number: '4111' }, { empty: true, brand: 7 }, null])
    configured[0]?.onChange?.(change);
  expect(changes).toEqual([
    { complete: true, empty: false, brand: 'visa' },
    { complete: false, empty: true, brand: undefined },
    { complete: false, empty: false, brand: undefined },
  ]);
});

it('say that they are ready when the script does, and at once if it does not say it', async () => {
  let ready = () => {};
  const { fields } = await load({}, { ready: new Promise<void>((resolve) => (ready = resolve)) });
  let isReady = false;
  void fields.collectToken({ onReady: () => (isReady = true) }).catch(() => {});
  await Promise.resolve();
  expect(isReady).toBe(false);
  await new Promise<void>((resolve) => {
    void fields.collectToken({ onReady: resolve }).catch(() => {});
    ready();
  });
  const silent = await load();
  await new Promise<void>((resolve) => void silent.fields.collectToken({ onReady: resolve }));
});

it('pass the token to the newest caller of a place', async () => {
  const { fields, giveCard } = await load();
  const first = fields.collectToken().catch(({ code }) => code);
  const second = fields.collectToken().catch(({ code }) => code);
  const elsewhere = fields.collectToken(anything({ target: { nodeType: 1 } })).catch(({ code }) => code);
  void giveCard('tok_2');
  expect([await first, await elsewhere]).toEqual(['superseded', 'tok_2']);
  const third = fields.collectToken();
  void giveCard('tok_3');
  expect([await second, await third]).toEqual(['superseded', 'tok_3']);
});

it('take no other card until the next call: the promise of the callback stays open', async () => {
  const { fields, giveCard } = await load();
  const token = fields.collectToken();
  const settled = giveCard('tok_1');
  expect(await token).toBe('tok_1');
  expect(await Promise.race([settled, Promise.resolve('open')])).toBe('open');
});

it('stop waiting when aborted, before the script is called or later', async () => {
  const { fields, configured, giveCard } = await load();
  expect((await failureOf(() => fields.collectToken({ signal: AbortSignal.abort() }))).code).toBe('aborted');
  expect(configured).toEqual([]);
  const controller = new AbortController();
  const late = failureOf(() => fields.collectToken({ signal: controller.signal }));
  controller.abort();
  expect((await late).code).toBe('aborted');
  await Promise.race([giveCard('tok_late'), Promise.resolve()]);
});

it('look for no key within an element of the page, which references all of it', async () => {
  class FakeElement {
    readonly somebodyElse = { key: 'sk_v1_test_51Habcdef' };
  }
  const { fields, giveCard } = await load();
  const next = fields.collectToken(anything({ config: { target: new FakeElement() } }));
  void giveCard('tok_1');
  expect(await next).toBe('tok_1');
});

describe.each([
  ['submit', 'startPaymentRequest'],
  ['clear', 'clearInputs'],
  ['focus', undefined],
] as const)('%s', (name, other) => {
  it('calls what the script has, that of the newest fields first', async () => {
    const called: string[] = [];
    const scripts = [
      { [name]: () => called.push('global') },
      ...(other ? [{ [other]: () => called.push(other) }] : []),
    ];
    for (const script of scripts) (await load(script)).fields[name]();
    const { fields } = await load(
      { [name]: () => called.push('global') },
      { [name]: () => called.push('shown') },
    );
    void fields.collectToken();
    fields[name]();
    expect(called).toEqual(['global', ...(other ? [other] : []), 'shown']);
  });

  it('is not_supported without, and script_failed if it throws', async () => {
    const { fields } = await load();
    expect((await failureOf(() => fields[name]())).code).toBe('not_supported');
    const cause = new Error('closed');
    const failing = await load({
      [name]: () => {
        throw cause;
      },
    });
    expect(await failureOf(() => failing.fields[name]())).toMatchObject({ code: 'script_failed', cause });
  });
});

it('refuse an unknown option of collectToken', async () => {
  const { fields, configured } = await load();
  expect(await failureOf(() => fields.collectToken(anything({ traget: '#x' })))).toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining('collectToken.traget: expected one of target, appearance'),
  });
  expect(configured).toEqual([]);
});
