import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportOf } from './exported-story.ts';
import { recordedStories } from './recorded-stories.ts';

/** The folder of exported tests, from which they import the package as an app does. */
const folder = fileURLToPath(new URL('../../../.tmp/exported-stories/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

const config = `
import { inVite } from '../../scripts/page-bundles.ts';
import { alias } from '../../vitest.config.ts';
const test = { include: ['.tmp/exported-stories/*.test.ts'], isolate: false, maxWorkers: 1 };
export default { resolve: { alias }, plugins: [inVite], test };
`;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const names = Object.keys(recordedStories);
const fileOf = (name: string) => `${name.replaceAll(/\W+/g, '-')}.test.ts`;

const results = new Map<string, string>();

function outcomeOf({ message, assertionResults: [result] }: Report['testResults'][number]): string {
  if (result === undefined) return message;
  return result.status === 'passed' ? 'passed' : result.failureMessages.join('\n');
}

async function runAll(): Promise<void> {
  const output = `${folder}report.json`;
  const args = ['run', '--config', `${folder}vitest.config.ts`, '--reporter=json', `--outputFile=${output}`];
  const vitest = fileURLToPath(
    new URL('node_modules/vitest/vitest.mjs', new URL('../../../', import.meta.url)),
  );
  await promisify(execFile)(process.execPath, [vitest, ...args], { cwd: root }).catch(() => {});
  const report: Report = JSON.parse(await readFile(output, 'utf8'));
  for (const file of report.testResults) {
    results.set(file.name.split('/').at(-1) ?? '', outcomeOf(file));
  }
}

describe('an exported story', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}vitest.config.ts`, config);
  });

  it('is a test file that Vitest runs', async () => {
    for (const name of names) {
      const story = recordedStories[name];
      if (story === undefined) continue;
      await writeFile(
        folder + fileOf(name),
        await exportOf(story).catch((error: unknown) => `// ${name}\n${String(error)}`),
      );
    }
    const lost = await readFile(folder + fileOf(names[0] ?? ''), 'utf8');
    await writeFile(`${folder}another-verdict.test.ts`, lost.replace('"charges": 1', '"charges": 2'));
    await runAll();
  });

  it.each(names)('replays: %s', (name) => {
    expect(results.get(fileOf(name))).toBe('passed');
  });

  it('fails for another verdict', () => {
    expect(results.get('another-verdict.test.ts')).toContain('to match object');
  });
});
