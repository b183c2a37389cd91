/**
 * Compiles all code that users copy, in one program of a strict project: snippets of guides, `@example` of doc comments, and mistakes. An editor
 * offers its completions in the same program.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile, completionsAt, pathOf } from '../support/compiler.ts';
import { completions } from './completions.ts';
import { importsFor, moduleOf, readExamples, resultsIn } from './doc-examples.ts';
import { refused } from './mistakes.ts';
import { nextPage, nextServer, withExtensions } from './next-page.ts';
import { readSnippets } from './snippets.ts';

/** The declarations for the mistakes. */
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
declare const mode: string;
declare const headers: Record<string, string>;
const payment_token = 'tok_1';
const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
const by = { operationId: 'order-1042' };
const store = memoryStore();
const ship = () => {};
`;

const webhooks = new URL('../../examples/webhooks/', import.meta.url);

/** The examples that `npm run typecheck` leaves out, because they need the packages of the tests. */
const queues = ['bullmq.ts', 'graphile-worker.ts', 'pg-boss.ts'];

const examples = await readExamples();
const snippets = await readSnippets();
const mistakes = ['ship()', ...refused.map(({ code }) => code)].map(
  (code) => `${declarations}export function mistake() {\n  ${code};\n}\n`,
);

/**
 * All programs at once, so that the compiler checks the package's types once. The mistakes come first: the message about a union
 * depends on which of its members the compiler met before.
 */
const programs = new Map([
  ...mistakes.map((text, index) => [pathOf(`mistakes/${index}.ts`), text] as const),
  [pathOf('examples/payments.interface.json'), '{ "webhooks": { "scheme": "standardWebhooks" } }'],
  ...Array.from(examples, ([name, example]) => [pathOf(`examples/${name}`), moduleOf(example)] as const),
  ...snippets.map(({ path, code }) => [pathOf(`snippets/${path}`), code] as const),
  ...Array.from(nextPage, ([path, code]) => [pathOf(`next-page/${path}`), withExtensions(code)] as const),
  ...Array.from(nextServer, ([path, code]) => [pathOf(`next-page/${path}`), code] as const),
  ...completions.map(
    ({ program }, index) => [pathOf(`completions/${index}.ts`), program.replace('|', '')] as const,
  ),
  ...(await Promise.all(
    queues.map(
      async (name) => [pathOf(`queues/${name}`), await readFile(new URL(name, webhooks), 'utf8')] as const,
    ),
  )),
]);

let messages: ReadonlyMap<string, string> = new Map();
beforeAll(() => {
  messages = compile(programs);
}, 300_000);

/** Returns the messages for all programs of a folder. */
const messagesIn = (folder: string) =>
  Array.from(messages, ([path, text]) => (path.startsWith(pathOf(folder)) ? text : '')).join('');

it('every snippet of README and guides compiles', () => {
  expect(snippets.length).toBeGreaterThan(60);
  expect(messagesIn('snippets/')).toBe('');
});

it('every file of the Next.js page compiles', () => {
  expect([...nextPage.keys()]).toEqual([
    'app/orders.ts',
    'app/checkout/page.tsx',
    'app/checkout/checkout.tsx',
    'app/pay/route.ts',
  ]);
  expect(messagesIn('next-page/')).toBe('');
});

it('every example on a queue compiles', () => {
  expect(messagesIn('queues/')).toBe('');
});

it('every example of a doc comment compiles', () => {
  expect(examples.size).toBeGreaterThan(50);
  expect(messagesIn('examples/')).toBe('');
});

const results = [...examples.values()].flatMap(resultsIn);

it('every result in an example is right', async () => {
  expect(results.length).toBeGreaterThan(5);
  const file = pathOf('results.ts');
  await mkdir(dirname(file), { recursive: true });
  const rows = ['export const rows = [', ...results, '];\n'].join('\n');
  await writeFile(file, [...importsFor(rows), rows].join('\n'));
  const { rows: pairs }: { rows: [unknown, unknown][] } = await import(/* @vite-ignore */ file);
  expect(pairs.map(([value]) => value)).toEqual(pairs.map(([, result]) => result));
});

describe('the compiler', () => {
  const said = (index: number) => messages.get(pathOf(`mistakes/${index}.ts`));

  it('accepts correct code', () => {
    expect(said(0)).toBe('');
  });

  it.each(refused.map((row, index) => ({ ...row, index })))('rejects $mistake', ({ message, index }) => {
    expect(said(index + 1)).toContain(message);
  });
});

describe('an editor', () => {
  it.each(completions.map((row, index) => ({ ...row, index })))(
    'offers $what',
    ({ program, offered, index }) => {
      const position = program.indexOf('|');
      expect(completionsAt(pathOf(`completions/${index}.ts`), position)).toEqual(offered.toSorted());
    },
  );
});
