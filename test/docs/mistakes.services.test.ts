/** Makes each mistake of docs/mistakes.md, and compares the message of the compiler or the SDK with the guide. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as sdk from 'payments-client';
import { createSandbox } from 'payments-client/sandbox';
import * as stores from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';

const root = new URL('../../', import.meta.url);
const folder = new URL('.tmp/mistakes/', root);
const guide = await readFile(new URL('docs/mistakes.md', root), 'utf8');

/** Returns the cells of the table below a heading, without code marks. */
function tableBelow(heading: string): string[][] {
  const section = guide.slice(guide.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replace(/^`(.*)`$/, '$1')),
  );
}

/** The declarations for the guide's code. */
const declarations = `
import { ApiError, formatAmount, PaymentsClient, toDecimalAmount } from 'payments-client';
import type { Charge, PaymentIntent, PaymentsError, Refund } from 'payments-client';
import { memoryStore, postgresStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
declare const payments: PaymentsClient;
declare const webhooks: Webhooks;
declare const intent: PaymentIntent;
declare const charge: Charge;
declare const refund: Refund;
declare const error: PaymentsError;
declare const body: string;
declare const headers: Record<string, string>;
const payment_token = 'tok_1';
const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
const by = { operationId: 'order-1042' };
const store = memoryStore();
const ship = () => {};
`;

const refused = tableBelow('Compile errors').map(([mistake = '', code = '', message = '']) => ({
  ...{ mistake, code, message },
}));

/** Compiles each snippet as its own file of one program, and returns the compiler's messages for each. */
async function compile(codes: readonly string[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const files = codes.map((_, index) => fileURLToPath(new URL(`${index}.ts`, folder)));
  const texts = codes.map((code) => `${declarations}export function mistake() {\n  ${code};\n}\n`);
  await Promise.all(files.map((file, index) => writeFile(file, texts[index] ?? '')));
  const { config } = ts.readConfigFile(fileURLToPath(new URL('tsconfig.json', root)), ts.sys.readFile);
  const base = fileURLToPath(root);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, base);
  const lenient = { ...options, noUnusedLocals: false, noUnusedParameters: false };
  const program = ts.createProgram(files, lenient);
  return files.map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .flatMap((diagnostic) => [diagnostic, ...(diagnostic.relatedInformation ?? [])])
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n'),
  );
}

describe('the compiler', () => {
  let said: readonly string[] = [];
  beforeAll(async () => {
    said = await compile(['ship()', ...refused.map(({ code }) => code)]);
  }, 300_000);

  it('accepts correct code', () => {
    expect(said[0]).toBe('');
  });

  it.each(refused.map((row, index) => ({ ...row, index })))('rejects $mistake', ({ message, index }) => {
    expect(said[index + 1]).toContain(message);
  });
});

/** The values for the guide's code, and an earlier payment. */
async function context(): Promise<Record<string, unknown>> {
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const payments = new sdk.PaymentsClient({ baseUrl, secretKey, securityKey, fetch });
  await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-paid' });
  const webhooks = new Webhooks({ secret: `whsec_${'a'.repeat(32)}` });
  const otherWebhooks = new Webhooks({ secret: `whsec_${'b'.repeat(32)}` });
  const body = JSON.stringify(sandbox.trigger('refund.failed'));
  const earlierPayment = await webhooks.sign(body, { timestamp: Date.now() - 3_600_000 });
  return {
    ...{
      ...sdk,
      ...stores,
      Webhooks,
      payments,
      webhooks,
      otherWebhooks,
      secretKey,
      body,
      old: earlierPayment,
    },
    ...{
      headers: await webhooks.sign(body),
      payment_token: 'tok_1',
      order: {},
      by: { operationId: 'order-1042' },
    },
  };
}

describe('the SDK', () => {
  const reported = tableBelow('Runtime errors').map(([mistake = '', code = '', name = '', message = '']) => ({
    ...{ mistake, code, name, message },
  }));

  it.each(reported)('reports $mistake', async ({ code, name, message }) => {
    const names = await context();
    const make = new Function(...Object.keys(names), `return (async () => ${code})();`);
    const error = await failureOf(make(...Object.values(names)), sdk.PaymentsError);
    expect(error.name).toBe(name);
    expect(error.message).toContain(message);
    // Nothing was sent, except with a reused operation id, which the service refuses.
    expect(error.outcome).toBe(name === 'IdempotencyBodyMismatchError' ? 'unknown' : 'not_executed');
  });

  it('and the compiler cover every row of the guide', () => {
    expect(refused.length + reported.length).toBeGreaterThanOrEqual(62);
  });
});
