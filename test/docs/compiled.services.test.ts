/** Compiles all code that users copy, in a strict project: snippets of guides, `@example` of doc comments, and mistakes. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile, exportsOf, pathOf } from '../support/compiler.ts';
import { refused } from './mistakes.ts';
import { readPrograms, readSnippets } from './snippets.ts';

const source = new URL('../../src/', import.meta.url);

/** Returns the examples in a source file. */
function examplesIn(source: ts.SourceFile): string[] {
  const examples = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { tagName, pos, comment } of ts.getJSDocTags(node)) {
      if (tagName.text === 'example') examples.set(pos, ts.getTextOfJSDocComment(comment) ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...examples.values()];
}

/** Returns every example, by the name of a program for it. */
async function readExamples(): Promise<Map<string, string>> {
  const examples = new Map<string, string>();
  const paths = await readdir(source, { recursive: true });
  for (const path of paths.filter((path) => /\.tsx?$/.test(path))) {
    const text = await readFile(new URL(path, source), 'utf8');
    if (!text.includes('@example')) continue;
    const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    for (const [index, example] of examplesIn(parsed).entries()) {
      examples.set(path.replaceAll('/', '-').replace(/\.tsx?$/, `-${index + 1}.tsx`), example);
    }
  }
  return examples;
}

const manifest = JSON.parse(await readFile(new URL('../package.json', source), 'utf8'));
const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
const modules = [
  ...entries.map((name) => name.replace('.', 'payments-client')),
  fileURLToPath(new URL('placeholders.ts', import.meta.url)),
];

/** The import of each name that the package and the placeholders export. */
const imports = new Map(
  exportsOf(modules).map(({ name, specifier, isType }) => {
    return [name, `import { ${isType ? 'type ' : ''}${name} } from '${specifier}';`] as const;
  }),
);

/** Returns the imports that a code needs. */
const importsFor = (code: string) =>
  [...new Set(code.match(/\w+/g))].flatMap((name) => imports.get(name) ?? []);

/** Writes an example as a module. It may return and await. */
function moduleOf(example: string): string {
  const lines = example.split('\n');
  const own = lines.filter((line) => line.startsWith('import '));
  const body = lines.filter((line) => !own.includes(line)).map((line) => line.replace(/^export /, ''));
  const opened = 'export async function example() {';
  return [...importsFor(example), ...own, opened, ...body, '}\n'].join('\n');
}

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
declare const headers: Record<string, string>;
const payment_token = 'tok_1';
const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
const by = { operationId: 'order-1042' };
const store = memoryStore();
const ship = () => {};
`;

const webhooks = new URL('../examples/webhooks/', source);

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
  ...Array.from(await readPrograms(snippets), ([path, text]) => [pathOf(`snippets/${path}`), text] as const),
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

it('every example on a queue compiles', () => {
  expect(messagesIn('queues/')).toBe('');
});

it('every example of a doc comment compiles', () => {
  expect(examples.size).toBeGreaterThan(50);
  expect(messagesIn('examples/')).toBe('');
});

/** The lines of examples that show a result: an expression, and a literal in a comment behind it. */
const results = [...examples.values()].flatMap((example) =>
  [...example.matchAll(/^(\w.+); \/\/ (['\d[].*)$/gm)].map(
    ([, code = '', result = '']) => `[${code}, ${result}],`,
  ),
);

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
