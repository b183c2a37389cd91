import fc from 'fast-check';
import { InvalidRequestError, PaymentsClient, Transact } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { phpName } from '../support/php-names.ts';
import { bySize } from '../support/size.ts';

const baseUrl = 'https://payments.test';
const securityKey = 'k4n4ry-of-the-form';
const cardNumber = '4111111111111111';

type Fields = Readonly<Record<string, string>>;
type Options = Partial<ConstructorParameters<typeof Transact>[0]>;

function startClient(options: Options = {}) {
  const bodies: string[] = [];
  const warnings: unknown[] = [];
  const fetch = async (request: Request) => {
    bodies.push(await request.text());
    return new Response('response=1');
  };
  const logger = { warn: (...line: unknown[]) => warnings.push(line) };
  const transact = new Transact({ baseUrl, securityKey, fetch, logger, ...options });
  return { transact, bodies, warnings };
}

const pays = { amount: '12.00', payment_token: 'tok_1' };
const methods: Readonly<Record<string, (transact: Transact, fields: Fields) => PromiseLike<unknown>>> = {
  sale: (t, fields) => t.sale(anything({ ...pays, ...fields })),
  auth: (t, fields) => t.auth(anything({ ...pays, ...fields })),
  credit: (t, fields) => t.credit(anything({ ...pays, ...fields })),
  validate: (t, fields) => t.validate(anything({ payment_token: 'tok_1', ...fields })),
  capture: (t, fields) => t.capture(anything({ transactionid: '1', ...fields })),
  void: (t, fields) => t.void(anything({ transactionid: '1', ...fields })),
  refund: (t, fields) => t.refund(anything({ transactionid: '1', amount: '1.00', ...fields })),
  submit: (t, fields) => t.submit({ type: 'sale', ...fields }),
};

const charset =
  'a name of 1 to 64 letters, digits, _ and -, since PHP may read another name as that of another field';

const refused: readonly [name: string, path: string, expected: string, received: string][] = [
  [' type', '(root)', charset, 'one with another character'],
  ['security.key', '(root)', charset, 'one with another character'],
  ['security key', '(root)', charset, 'one with another character'],
  ['security[key', '(root)', charset, 'one with another character'],
  ['amount[]', '(root)', charset, 'one with another character'],
  ['amount[x]', '(root)', charset, 'one with another character'],
  ['type\0x', '(root)', charset, 'one with another character'],
  ['tÿpe', '(root)', charset, 'one with another character'],
  ['type\n', '(root)', charset, 'one with another character'],
  ['', '(root)', charset, 'one of 0 characters'],
  ['x'.repeat(65), '(root)', charset, 'one of 65 characters'],
  ['Type', 'type', "the name 'type'", 'another spelling of it'],
  ['TYPE', 'type', "the name 'type'", 'another spelling of it'],
  ['Amount', 'amount', "the name 'amount'", 'another spelling of it'],
  ['security-key', 'security_key', "the name 'security_key'", 'another spelling of it'],
  ['Security_Key', 'security_key', "the name 'security_key'", 'another spelling of it'],
  ['payment-token', 'payment_token', "the name 'payment_token'", 'another spelling of it'],
  ['TransactionId', 'transactionid', "the name 'transactionid'", 'another spelling of it'],
  ['CVV', 'cvv', "the name 'cvv'", 'another spelling of it'],
  ['ThreeDSecure', 'threeDSecure', "the name 'threeDSecure'", 'another spelling of it'],
  [securityKey, '(root)', 'a name that holds no secret', 'one that holds a key or a card number'],
  [cardNumber, '(root)', 'a name that holds no secret', 'one that holds a key or a card number'],
  [`card_${cardNumber}`, '(root)', 'a name that holds no secret', 'one that holds a key or a card number'],
];

describe('the name of a field', () => {
  it.each(refused)('is refused, whatever validation says: %j', async (name, path, expected, received) => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const { transact, bodies, warnings } = startClient({ validation });
      const fields = { orderid: '7', [name]: 'value-canary' };
      const error = await failureOf(transact.submit({ type: 'sale', ...fields }), InvalidRequestError);
      // `type` is the first field, and `orderid` the second.
      const place = path === '(root)' ? ' (field 3 of 3)' : '';
      expect(error.issues).toEqual([{ path, expected, received: received + place }]);
      expect(JSON.stringify([error.message, error.issues])).not.toMatch(/canary|k4n4ry|4111/);
      expect([bodies, warnings]).toEqual([[], []]);
    }
  });

  it.each(Object.entries(methods))('is checked by %s', async (_method, call) => {
    for (const name of [' type', 'security.key', 'amount[]', 'Type']) {
      const { transact, bodies } = startClient({ validation: 'off' });
      await failureOf(call(transact, { [name]: 'sale' }), InvalidRequestError);
      expect(bodies).toEqual([]);
    }
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
    const { transact, bodies } = startClient();
    const error = await failureOf(transact.sale(anything({ ...pays, [name]: '1' })), InvalidRequestError);
    expect(error.message).toBe(
      `transact.sale: ${name}: expected a parameter of this method, got an unknown one (did you mean '${meant}'?). ` +
        "If the service takes it, send it by transact.submit({ type: 'sale', … }). Nothing was sent.",
    );
    expect(bodies).toEqual([]);
    await transact.submit({ type: 'sale', ...pays, [name]: '1' });
    await transact.sale(anything({ ...pays, [meant]: '100', [name]: '1' }));
    expect(bodies.map((body) => new URLSearchParams(body).get(name))).toEqual(['1', '1']);
  });

  it('is refused beside one that differs by case, _ or - alone', async () => {
    const { transact } = startClient();
    const error = await failureOf(
      transact.submit({ type: 'sale', gift_note: 'a', orderid: '7', 'Gift-Note': 'b' }),
      InvalidRequestError,
    );
    expect(error.message).toBe(
      'transact.submit: expected names that differ by more than case, _ and -, got two that do not (field 4 of 4). Nothing was sent.',
    );
  });

  it('never reaches a journal if it holds a card number', async () => {
    const store = memoryStore();
    const fetch = async () => new Response('response=1');
    const payments = new PaymentsClient({
      baseUrl,
      securityKey,
      secretKey: 'sk_v1_test_1',
      fetch,
      validation: 'off',
      journal: { store },
    });
    const sale = payments.transact.sale(anything({ ...pays, [cardNumber]: '' }), { operationId: 'order-1' });
    await failureOf(sale, InvalidRequestError);
    for await (const operation of payments.journal.open()) expect(operation).toBeUndefined();
  });

  it.each(['merchant_defined_field_1', 'a', '0', 'x-y_Z9', 'constructor', 'x'.repeat(64)])(
    'is sent as it is: %s',
    async (name) => {
      const { transact, bodies } = startClient();
      await transact.submit(JSON.parse(`{"type":"sale","${name}":"7"}`));
      expect(new URLSearchParams(bodies[0]).getAll(name)).toEqual(['7']);
    },
  );

  it('is a name of its own for PHP, in any set of names that is sent', async () => {
    const { transact, bodies } = startClient({ validation: 'off' });
    const known = fc.constantFrom('type', 'amount', 'security_key', 'cvv', 'zip', 'note');
    const spelling = fc
      .tuple(known, fc.constantFrom('', ' ', '.', '[', '[]', '\0', '_', '-', 'A'))
      .chain(([name, extra]) =>
        fc.constantFrom(name, extra + name, name + extra, name.replace('_', extra), name.toUpperCase()),
      );
    const names = fc.array(fc.oneof(spelling, anyText({ maxLength: 6 })), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        bodies.length = 0;
        const fields = Object.fromEntries(given.map((name) => [name, 'x']));
        await transact.submit({ ...fields, type: 'sale' }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InvalidRequestError);
        });
        const sent = [...new URLSearchParams(bodies[0]).keys()];
        expect(new Set(sent.map((name) => phpName(name)?.toLowerCase().replaceAll('-', '_'))).size).toBe(
          sent.length,
        );
        for (const name of sent) expect(phpName(name)).toBe(name);
      }),
      { numRuns: bySize({ short: 200, all: 2_000, long: 100_000 }) },
    );
  });
});
