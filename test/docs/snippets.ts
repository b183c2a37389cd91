/**
 * The snippets of README and guides, as programs. README's snippets continue each other and have no hidden setup. In a guide, a
 * comment `<!-- before … -->` above a snippet is its setup; `<!-- before client … -->` also creates a client and its sandbox.
 */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

const root = new URL('../../', import.meta.url);

/** A snippet. */
export interface Snippet {
  readonly guide: string;
  readonly name: string;
  /** The path below the common folder. */
  readonly path: string;
  /** Whether other snippets import it. It prints nothing itself. */
  readonly isModule: boolean;
  readonly code: string;
  /** The expected output: the comments `// →`. */
  readonly prints: readonly string[];
}

/** The setup of `<!-- before client … -->`. */
const client = `import { PaymentsClient } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
const sandbox = createSandbox();
const payments = new PaymentsClient({
  baseUrl: sandbox.url,
  secretKey: sandbox.secretKey,
  securityKey: sandbox.securityKey,
  maxRetries: 0,
  fetch: sandbox.fetch,
});
`;

const snippet = /(?:<!-- before(?<client> client)?\n(?<before>.*?)-->\n+)?```ts\n(?<shown>.*?)```/gs;

/** Returns the expected output of a snippet: the comments `// →`. */
function printsOf(code: string): string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line);
}

/**
 * README's snippets, each below the first one, and then all in one file. Users paste them into a `.mjs`, so they are JavaScript.
 */
async function readmeSnippets(): Promise<Snippet[]> {
  const text = await readFile(new URL('README.md', root), 'utf8');
  const shown = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  const [first = '', ...later] = shown;
  const programs = [first, ...later.map((code) => first + code), shown.join('')];
  return programs.map((code, index) => {
    const name = `README-md-${index < shown.length ? index + 1 : 'all'}`;
    return {
      guide: 'README.md',
      name,
      path: `README-md/${name}.mjs`,
      isModule: false,
      code,
      prints: printsOf(code),
    };
  });
}

async function guideSnippets(guide: string): Promise<Snippet[]> {
  const text = await readFile(new URL(guide, root), 'utf8');
  const slug = guide.replaceAll(/\W/g, '-');
  return [...text.matchAll(snippet)].map(({ groups = {} }, index) => {
    const { before = '', shown = '' } = groups;
    const [, name] = /^\/\/ (\S+\.ts)\n/.exec(shown) ?? [];
    return {
      guide,
      name: `${slug}-${index + 1}`,
      path: `${slug}/${name ?? `${index + 1}.ts`}`,
      isModule: name !== undefined,
      code: (groups['client'] === undefined ? '' : client) + before + shown,
      prints: printsOf(shown),
    };
  });
}

/** The snippets of README, of the sandbox's README, of every guide, and of `llms.txt`. */
export async function readSnippets(): Promise<Snippet[]> {
  const guides = (await readdir(new URL('docs/', root))).filter((name) => /\.(?:md|txt)$/.test(name));
  const paths = ['sandbox/README.md', ...guides.map((name) => `docs/${name}`)];
  const all = [readmeSnippets(), ...paths.map(guideSnippets)];
  return (await Promise.all(all)).flat();
}

/** Whether a snippet uses what may drop fields: checkout sessions, or the form endpoint. */
export function usesSessionsOrForms({ code }: Snippet): boolean {
  return /checkoutSessions|checkout\.session|orders\.(?:checkout|sell)|[tT]ransact\b/.test(code);
}

/** Returns a snippet whose sandboxes keep only the fields that the interface shows. */
export function withOnlyShownFields(snippet: Snippet): Snippet {
  const code = snippet.code
    .replaceAll('createSandbox()', 'createSandbox({})')
    .replaceAll('createSandbox({', 'createSandbox({ onlyShownFields: true, ')
    .replaceAll('createTestClient()', 'createTestClient({ sandbox: {} })')
    .replaceAll(/createTestClient\(\{(?! sandbox)/g, 'createTestClient({ sandbox: {}, ')
    .replaceAll('createTestClient({ sandbox: {', 'createTestClient({ sandbox: { onlyShownFields: true, ');
  return { ...snippet, code };
}

/** Writes the snippets into a folder. */
export async function writeSnippets(snippets: readonly Snippet[], into: URL): Promise<void> {
  await rm(into, { recursive: true, force: true });
  for (const { path, code } of snippets) {
    await mkdir(new URL('.', new URL(path, into)), { recursive: true });
    await writeFile(new URL(path, into), code);
  }
}
