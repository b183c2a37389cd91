import type { ServiceInterface } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { pairwise } from '../../../../test/support/pairwise.ts';
import { everyNth } from '../../../../test/support/size.ts';
import { askSandbox, everything, probeBy, routesInForm } from '../support.ts';

const forms = {
  itemsField: ['data', 'items', 'results', 'a_list'],
  objectPlace: ['whole', 'data', 'type'],
  errorShape: ['nested', 'flat', 'list', 'problem', 'text', 'html'],
  requestIdHeader: ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'],
  timestamps: ['seconds', 'milliseconds'],
  deletion: ['object', 'confirmation', 'empty'],
  maxLimit: [undefined, 100, 37, 999],
  idPrefixes: [undefined, { product: 'item_', account: 'acct_' }],
  formEncoding: ['urlencoded', 'multipart'],
  formResponse: ['unescaped', 'escaped', 'json'],
  routes: [0, 1, 2, 3],
  seed: [true, false],
} as const;

const cases = pairwise(forms);

test.each(
  everyNth(
    cases.map((one, index) => [index, one] as const),
    8,
  ),
)('detects the forms of case %i', async (_, one) => {
  const { routes: index, seed, ...rest } = one;
  const given = { ...rest, routes: routesInForm(index) } as ServiceInterface;
  const sandbox = createSandbox({ interface: given });
  if (seed) sandbox.seed();
  for (const kind of ['product', 'account'] as const) if (seed) sandbox.add(kind);

  const report = await probeBy(askSandbox(sandbox));

  const { maxLimit, idPrefixes, routes: changed, ...always } = given;
  expect(report.stopped).toBeUndefined();
  const { idPrefixes: prefixes, ...known } = report.known;
  expect(known).toEqual({
    version: 1,
    ...always,
    ...(maxLimit !== undefined && { maxLimit }),
    ...(Object.keys(changed ?? {}).length > 0 && { routes: changed }),
  });
  // Without objects there is no prefix to read.
  if (seed) expect(prefixes).toMatchObject(idPrefixes ?? { product: 'prod_' });
  const unclear = report.lines.filter(({ verdict }) => verdict === 'not asked' || verdict === 'not seen');
  expect(unclear.map(({ id }) => id)).toEqual(seed ? ['G36'] : ['G7', 'G36']);
  await sandbox.close();
});

test('covers every pair of values', () => {
  expect(cases.length).toBeLessThan(60);
  for (const error of forms.errorShape) {
    for (const place of forms.objectPlace) {
      expect(cases.some((one) => one.errorShape === error && one.objectPlace === place)).toBe(true);
    }
  }
  expect(everything.size).toBe(3);
});
