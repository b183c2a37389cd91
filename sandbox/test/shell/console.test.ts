/** What the program writes for people: colours, and what fits a terminal. */

import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { endAll, launch, parse, run, runOnTerminal, runSandbox } from './support.ts';

afterEach(endAll);

const escapeCode = '\u001b';
const rewrite = '\r\u001b[2K';

describe('in a pipe', () => {
  test.each([
    ['--color', ['--color'], { NO_COLOR: '1' }],
    ['FORCE_COLOR', [], { FORCE_COLOR: '1' }],
  ])('there are colours with %s', async (_, args, env) => {
    const sandbox = launch(['sandbox', '--port', '0', ...args], env);
    const first = await sandbox.line();
    expect(first).toContain(escapeCode);
    const url = /http:\/\/[\d.:]*\d/.exec(first)?.[0] ?? '';
    expect(await sandbox.line((line) => line.includes('payments-client env'))).toContain(url);
    await run(['trigger', 'customer.created', '--url', url], env);
    const logged = await sandbox.line((line) => line.includes('evt_'));
    expect(logged).toContain('customer.created');
    expect(logged).toContain(escapeCode);
  });

  test('there are none otherwise, with --no-color, or in JSON', async () => {
    const sandbox = await runSandbox([], { FORCE_COLOR: '1' });
    const shown = await run(['trigger', 'customer.created', '--no-color', '--url', sandbox.url], {
      FORCE_COLOR: '1',
    });
    expect(shown.stdout).toMatch(/^Triggered customer\.created: evt_\w+ for cus_\w+\.\n$/);
    const { stdout } = await sandbox.stop();
    expect(stdout).not.toContain(escapeCode);
    for (const line of stdout.trim().split('\n')) expect(parse(line)).toHaveProperty('kind');
    expect((await run(['--help'])).stdout).not.toContain(escapeCode);
  });
});

describe('on a terminal', () => {
  test('there are colours, unless NO_COLOR, FORCE_COLOR or TERM disables them', async () => {
    const { url, call } = await runSandbox();
    await call('trigger', 'customer.created');
    const events = ['events', '--url', url];
    expect(await runOnTerminal(events)).toContain(escapeCode);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]) {
      const shown = await runOnTerminal(events, env);
      expect(shown).not.toContain(escapeCode);
      expect(shown).toMatch(/^\d\d? \w+ 20\d\d, UTC\n\d\d:\d\d customer\.created evt_\w+\n$/);
    }
  });

  test('the help fits a narrow one', async () => {
    const shown = await runOnTerminal(['--no-color', 'help', 'trigger'], {}, 40);
    expect(shown).toContain('\n  --set <field=value>\n      Sets a field of the object, ');
    const [, ...rest] = shown.split('\n');
    for (const line of rest) expect(line.length, line).toBeLessThanOrEqual(40);
  });

  /** What `seed` writes while the work is done in three steps. */
  async function seeding(columns: number, env = {}): Promise<readonly string[]> {
    const steps = [
      { done: 0, total: 90 },
      { done: 30, total: 90 },
      { done: 90, total: 90 },
    ];
    const done = { result: { customers: 1 }, message: 'Made 1 customers.', details: [] };
    const server = await serve((_, response) =>
      response.end([...steps, done].map((line) => JSON.stringify(line)).join('\n')),
    );
    onTestFinished(() => server.close());
    return (await runOnTerminal(['seed', '--url', server.url], env, columns)).split(rewrite);
  }

  test.each([
    ['shows the progress of sample data, and disappears at the end', 80, 30],
    ['is cut off on a narrow one', 20, 10],
  ])('a bar %s', async (_, columns, cells) => {
    const full = (count: number) => `${'█'.repeat(count)}${'░'.repeat(30 - count)}`.slice(0, cells);
    expect(await seeding(columns)).toEqual([
      '',
      `0 of 90 ${full(0)}${cells < 30 ? '░' : ''}`,
      `30 of 90 ${full(10)}`,
      `90 of 90 ${full(30)}`,
      'Made 1 customers.\n',
    ]);
  });

  test('without control sequences there is no bar', async () => {
    expect(await seeding(80, { TERM: 'dumb' })).toEqual(['Made 1 customers.\n']);
  });
});
