import fc from 'fast-check';
import { InvalidRequestError, PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { phpName } from '../support/php-names.ts';
import { bySize } from '../support/size.ts';
import { cardNumber, methods, sale, securityKey, startEndpoint, submit } from './endpoint.ts';

const otherCharacter = ['(root)', 'letters, digits, _ and -', 'one with another character'] as const;
const spelling = (name: string) => [name, `the name '${name}'`, 'another spelling of it'] as const;
const secret = ['(root)', 'a name that holds no secret', 'one that holds a key or a card number'] as const;

const refused: readonly (readonly [
  name: string,
  issue: readonly [path: string, expected: string, received: string],
])[] = [
  ...[
    ' type',
    'security.key',
    'security key',
    'security[key',
    'amount[]',
    'amount[x]',
    'type\0x',
    'tÿpe',
    'type\n',
  ].map((name) => [name, otherCharacter] as const),
  ['', ['(root)', 'a name of 1 to 64', 'one of 0 characters']],
  ['x'.repeat(65), ['(root)', 'a name of 1 to 64', 'one of 65 characters']],
  ['Type', spelling('type')],
  ['TYPE', spelling('type')],
  ['Amount', spelling('amount')],
  ['security-key', spelling('security_key')],
  ['Security_Key', spelling('security_key')],
  ['payment-token', spelling('payment_token')],
  ['TransactionId', spelling('transactionid')],
  ['CVV', spelling('cvv')],
  ['ThreeDSecure', spelling('threeDSecure')],
  [securityKey, secret],
  [cardNumber, secret],
  [`card_${cardNumber}`, secret],
];

/** A client with a journal, whose key changes for each call. */
function startRotating(...keys: readonly string[]) {
  const next = keys.values();
  const endpoint = startEndpoint();
  const store = memoryStore();
  const payments = new PaymentsClient({
    ...endpoint.options,
    validation: 'off',
    secretKey: 'sk_v1_test_1',
    securityKey: () => next.next().value ?? '',
    journal: createJournal({ store }),
  });
  return { ...endpoint, payments, store };
}

describe('the name of a field', () => {
  it.each(refused)('is refused, whatever validation says: %j', async (name, [path, expected, received]) => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const { transact, bodies, warnings } = startEndpoint('response=1', { validation });
      const error = await failureOf(
        submit(transact, { orderid: '7', [name]: 'value-canary' }),
        InvalidRequestError,
      );
      // `type` is the first field, and `orderid` the second.
      const place = path === '(root)' ? ' (field 3 of 3)' : '';
      expect(error.issues).toEqual([
        { path, expected: expect.stringContaining(expected), received: received + place },
      ]);
      expect(JSON.stringify([error.message, error.issues])).not.toMatch(/canary|k4n4ry|4111/);
      expect([bodies, warnings]).toEqual([[], []]);
    }
  });

  it.each(Object.entries({ ...methods, submit }))('is checked by %s', async (_method, call) => {
    const { transact, bodies } = startEndpoint('response=1', { validation: 'off' });
    for (const name of [' type', 'security.key', 'amount[]', 'Type']) {
      await failureOf(call(transact, { [name]: 'sale' }), InvalidRequestError);
    }
    expect(bodies).toEqual([]);
  });

  it.each([
    ['cvc', 'cvv'],
    ['cvv2', 'cvv'],
    ['security_code', 'cvv'],
    ['order_id', 'orderid'],
    ['ordreid', 'orderid'],
    ['ip_address', 'ipaddress'],
    ['emial', 'email'],
    ['zip_code', 'zip'],
    ['firstName', 'first_name'],
  ])('is refused if it resembles one that is absent: %s', async (name, meant) => {
    const { transact, sent } = startEndpoint();
    const { message } = await failureOf(methods.sale(transact, { [name]: '1' }), InvalidRequestError);
    expect(message).toContain(`transact.sale: ${name}: `);
    expect(message).toContain(`did you mean '${meant}'?`);
    expect(message).toContain(`add extraParameters: { 'transact.sale': ['${name}'] }`);
    await failureOf(methods.sale(transact, { [meant]: '100', [name]: '1' }), InvalidRequestError);
    expect(sent()).toEqual([]);
    await submit(transact, { ...sale, [name]: '1' });
    expect(sent()).toMatchObject([{ [name]: '1' }]);
  });

  it('passes where extraParameters names it or its beginning, as text, and in that method alone', async () => {
    const names = ['wallet', 'merchant_defined_field_*'];
    const { transact, sent } = startEndpoint('response=1', { extraParameters: { 'transact.sale': names } });
    const own = { merchant_defined_field_12: 'x', wallet: 'y' };
    await methods.sale(transact, own);
    expect(sent()).toEqual([expect.objectContaining(own)]);
    await failureOf(methods.auth(transact, { wallet: 'y' }), InvalidRequestError);
    for (const wrong of [{ merchant: 'x' }, { wallets: 'y' }, { wallet: 5 }])
      await failureOf(methods.sale(transact, wrong), InvalidRequestError);
    expect(sent()).toHaveLength(1);
  });

  it.each(['throw', 'off'] as const)(
    'is refused beside one that differs by case, _ or - alone, with validation %s',
    async (validation) => {
      const { transact, bodies } = startEndpoint('response=1', { validation });
      const call = submit(transact, { gift_note: 'a', orderid: '7', 'Gift-Note': 'b' });
      const { message } = await failureOf(call, InvalidRequestError);
      expect(message).toMatch(/differ by more than case, _ and -.+\(field 4 of 4\)/);
      expect(message).not.toMatch(/gift/i);
      expect(bodies).toEqual([]);
    },
  );

  it('never reaches a journal if it holds a card number', async () => {
    const { payments, bodies } = startRotating(securityKey);
    const call = payments.transact.sale(anything({ ...sale, [cardNumber]: '' }), { operationId: 'order-1' });
    await failureOf(call, InvalidRequestError);
    for await (const operation of payments.journal.open()) expect(operation).toBeUndefined();
    expect(bodies).toEqual([]);
  });

  it('is refused if it holds a key that was rotated away, or the current one', async () => {
    const keys = ['former-key-A1', 'current-key-B2'];
    const { payments, sent } = startRotating(...keys);
    for (const operationId of ['order-1', 'order-2']) await payments.transact.sale(sale, { operationId });
    expect(sent().map((fields) => fields['security_key'])).toEqual(keys);
    for (const key of keys) {
      const call = payments.transact.submit({ type: 'sale', [key]: 'x' }, { operationId: key.slice(0, 3) });
      const error = await failureOf(call, InvalidRequestError);
      expect(error.issues).toMatchObject([{ expected: 'a name that holds no secret' }]);
      expect(error.message).not.toContain(key);
    }
    expect(sent()).toHaveLength(2);
  });

  it.each(['merchant_defined_field_1', 'a', '0', 'x-y_Z9', 'constructor', 'x'.repeat(64)])(
    'is sent as it is: %s',
    async (name) => {
      const { transact, sent } = startEndpoint();
      await submit(transact, { [name]: '7' });
      expect(sent()[0]?.[name]).toBe('7');
    },
  );

  it('is a name of its own for PHP, in any set of names that is sent', async () => {
    const { transact, bodies } = startEndpoint('response=1', { validation: 'off' });
    const known = fc.constantFrom('type', 'amount', 'security_key', 'cvv', 'zip', 'note');
    const spellings = fc
      .tuple(known, fc.constantFrom('', ' ', '.', '[', '[]', '\0', '_', '-', 'A'))
      .chain(([name, extra]) =>
        fc.constantFrom(name, extra + name, name + extra, name.replace('_', extra), name.toUpperCase()),
      );
    const names = fc.array(fc.oneof(spellings, anyText({ maxLength: 6 })), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        bodies.length = 0;
        const fields = Object.fromEntries(given.map((name) => [name, 'x']));
        await transact.submit({ ...fields, type: 'sale' }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InvalidRequestError);
        });
        const sent = [...new URLSearchParams(bodies[0]).keys()];
        const skeletons = sent.map((name) => phpName(name)?.toLowerCase().replaceAll('-', '_'));
        expect(new Set(skeletons).size).toBe(sent.length);
        for (const name of sent) expect(phpName(name)).toBe(name);
      }),
      { numRuns: bySize({ short: 80, all: 2_000, long: 100_000 }) },
    );
  });
});
