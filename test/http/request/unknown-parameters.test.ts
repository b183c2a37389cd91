/** A parameter that no method has, in every object of the parameters of every method. */

import { InvalidRequestError, type PaymentsClient, type RouteName } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { clientWith } from '../../security/secrets/planting.ts';
import { everyMethod } from '../../support/every-method.ts';
import { failureOf } from '../../support/failure.ts';
import { useScriptedService } from '../../support/scripted-service.ts';
import { methods } from '../../transact/endpoint.ts';

type Call = (payments: PaymentsClient, change: (own: object) => object) => PromiseLike<unknown>;

const service = useScriptedService();
const by = { operationId: 'order-1' };
const foreign = 'x_of_nobody';

/** Parameters with objects in them, which the calls of every method do not need. */
const deeper: { readonly [Name in RouteName]?: object } = {
  'checkoutSessions.create': { collect_config: {}, metadata: {} },
  'creditNotes.create': { lines: [{ amount: 5 }] },
  'customers.create': { billing_address: {}, shipping: {}, payment_settings: {}, metadata: {} },
};

/** What the interface shows no fields of, or what is the merchant's own. */
const open =
  /^(?:products|prices|paymentMethods|terminals|apiKeys|webhookEndpoints|accountLinks)\.|billing_address|shipping|payment_settings|metadata/;

/** Adds the parameter to the object at a path. */
function withForeign(value: unknown, path: readonly string[]): unknown {
  const [next, ...rest] = path;
  if (next === undefined) return { ...Object(value), [foreign]: '1' };
  const changed = withForeign(Reflect.get(Object(value), next), rest);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === next ? changed : item))
    : { ...Object(value), [next]: changed };
}

/** Returns the path of each object within a value. */
function objectsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([name, part]) => objectsIn(part, [...path, name]))];
}

/** Returns the parameters that a call passes; `undefined` if it passes none. */
function parametersOf(call: Call): object | undefined {
  let passed: object | undefined;
  void Promise.resolve(call(service.createClient(), (own) => (passed = own))).catch(() => {});
  return passed;
}

const calls = Object.entries(everyMethod)
  .filter(([name]) => !name.endsWith('.list'))
  .map(([name, call]) => {
    const more = Object.entries(deeper).find(([known]) => known === name)?.[1];
    const changed: Call = (payments, change) =>
      call(clientWith(payments, { params: (own) => change({ ...own, ...more }) }, by), by);
    return [name, changed] as const;
  });

const rows = calls.flatMap(([name, call]) =>
  objectsIn(parametersOf(call)).map((path) => [`${name} ${path.join('.')}`, call, path] as const),
);
const isOpen = ([name]: (typeof rows)[number]) => open.test(name);

describe('a parameter that no method has', () => {
  it('has a place in every method that takes parameters', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(isOpen).length).toBeGreaterThan(10);
  });

  it.each(rows.filter((row) => !isOpen(row)))('is refused in %s', async (_, call, path) => {
    const refused = call(service.createClient(), (own) => Object(withForeign(own, path)));
    const error = await failureOf(refused, InvalidRequestError);
    expect(error.issues.map((issue) => issue.path)).toEqual([expect.stringMatching(`${foreign}$`)]);
    const named = [...path.filter((part) => !/^\d/.test(part)), foreign].join('.');
    expect(error.message).toContain(`['${named}'] } to the options of the client. Nothing was sent.`);
    expect(service.arrivals).toEqual([]);
  });

  it.each(rows.filter((row) => !isOpen(row)))(
    'passes in %s if extraParameters names it',
    async (name, call, path) => {
      service.answers(Response.json({}, { status: 400 }));
      const named = [...path.filter((part) => !/^\d/.test(part)), foreign].join('.');
      const extraParameters = { [String(name.split(' ')[0])]: [named] };
      const change = (own: object) => Object(withForeign(own, path));
      await Promise.resolve(call(service.createClient({ extraParameters }), change)).catch(() => {});
      expect(service.arrivals.map(({ body }) => body.includes(foreign))).toEqual([true]);
    },
  );

  it('is named twenty times at most, since parameters may be what a stranger sent', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => [`amount_${index}`, 1]);
    const refused = service.createClient().customers.create(Object.fromEntries(names));
    expect((await failureOf(refused, InvalidRequestError)).issues).toHaveLength(20);
  });

  it.each(rows.filter(isOpen))('is sent in %s', async (_, call, path) => {
    service.answers(Response.json({}, { status: 400 }));
    const change = (own: object) => Object(withForeign(own, path));
    await Promise.resolve(call(service.createClient(), change)).catch(() => {});
    expect(service.arrivals.map(({ body }) => body.includes(foreign))).toEqual([true]);
  });

  it.each<[settings: object, isSent: boolean]>([
    [{ save_default_payment_method: 'on', plan: 'gold', amount: 5, tax_data: {} }, true],
    [{ defaultPaymentMethod: 'pm_1' }, false],
    [{ default_payment_metod: 'pm_1' }, false],
    [{ default_payment_method: 'pm_1', defaultPaymentMethod: 'pm_2' }, true],
  ])(
    'is refused where any may be if it is a known one that was misspelt: %o',
    async (payment_settings, isSent) => {
      service.answers(Response.json({}, { status: 400 }));
      await Promise.resolve(
        service.createClient().customers.create({ payment_settings: { ...payment_settings } }),
      ).catch(() => {});
      expect(service.arrivals).toHaveLength(isSent ? 1 : 0);
    },
  );

  it.each(Object.entries(methods))('is refused in a form of transact.%s', async (_, call) => {
    const { transact } = service.createClient({ securityKey: 'k-1' });
    const { issues } = await failureOf(call(transact, { [foreign]: '1' }), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual([foreign]);
    expect(service.arrivals).toEqual([]);
  });
});
