/** Completion in shells. Types keys into real shells on a terminal. */

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventCatalog } from 'payments-client/webhooks';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { paymentsClient, typeInto } from '../support/programs.ts';
import { skipWithout } from '../support/skip.ts';
import { endAll, hasTerminal, run } from './support.ts';

// Each program takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(endAll);

/** The words that a command line can be completed with. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(['complete', '--', ...words]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : line.replace(/\t.*/, '')));
}

describe('completes', () => {
  test('commands, each with its summary', async () => {
    const { stdout } = await run(['complete', '--', '']);
    expect(stdout).toContain('replay\tDelivers an event of a running sandbox again');
    expect(await complete('')).toEqual([
      ...['sandbox', 'pay', 'trigger', 'events', 'requests', 'faults', 'seed', 'clock', 'replay', 'probe'],
      ...['completion', 'help'],
    ]);
    expect(await complete('faults', '')).toEqual(['list', 'add', 'clear']);
    expect(await complete('help', 'faults', 'a')).toEqual(['add']);
  });

  test('every option that the help of a command names', async () => {
    for (const command of [['sandbox'], ['faults', 'add'], ['probe'], []]) {
      const { stdout } = await run([...command, '--help']);
      const flags = Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag);
      expect((await complete(...command, '--')).toSorted()).toEqual(flags.toSorted());
    }
  });

  test('types of events, kinds of faults and shells', async () => {
    expect(await complete('trigger', '')).toEqual(expect.arrayContaining(Object.keys(eventCatalog)));
    expect(await complete('trigger', '--set', 'a=1', '--url', 'http://127.0.0.1:1', 'refund.f')).toEqual([
      'refund.failed',
    ]);
    expect(await complete('events', '--type', 'refund.f')).toEqual(['refund.failed']);
    expect(await complete('events', '--type=refund.f')).toEqual(['--type=refund.failed']);
    expect(await complete('faults', 'add', 'drop_r')).toEqual(['drop_request', 'drop_reply']);
    expect(await complete('--json', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('files for options that take a file, and nowhere else', async () => {
    for (const option of ['--data', '--interface', '--env']) {
      expect(await complete('sandbox', option, 'x')).toEqual([':files']);
      expect(await complete('sandbox', `${option}=x`)).toEqual([':files']);
    }
    expect(await complete('probe', '--webhook', 'x')).toEqual([':files']);
    expect(await complete('probe', '--webhook', '--cr')).toEqual(['--create']);
    expect(await complete('sandbox', '--host', 'x')).toEqual([]);
    expect(await complete('replay', 'x')).toEqual([]);
    expect(await complete('trigger', 'refund.failed', 'x')).toEqual([]);
  });

  test('without an error, whatever the words are', async () => {
    for (const words of [
      [],
      ['--'],
      ['-'],
      ['='],
      ['teapot', ''],
      ['\u001b', '--x='],
      ['sandbox', '--none=', 'x'],
    ]) {
      const { code, stderr } = await run(['complete', '--', ...words]);
      expect([code, stderr]).toEqual([0, '']);
    }
  });
});

/** The typed keys, with a tab at the end, and the resulting command line. */
const typed: readonly (readonly [keys: string, runs: string])[] = [
  ['trig\trefund.fa\t', '<trigger> <refund.failed>'],
  ['faults ad\tdrop_rep\t', '<faults> <add> <drop_reply>'],
  ['sandbox --allow-remote-\t', '<sandbox> <--allow-remote-webhooks>'],
  ['events --type refund.fa\t', '<events> <--type> <refund.failed>'],
  ['events --type=refund.fa\t', '<events> <--type=refund.failed>'],
  [
    'trigger --url http://127.0.0.1:4242 refund.fa\t',
    '<trigger> <--url> <http://127.0.0.1:4242> <refund.failed>',
  ],
  ['sandbox --data deliv\t', '<sandbox> <--data> <delivery.txt>'],
  ['sandbox --data=deliv\t', '<sandbox> <--data=delivery.txt>'],
  ['sandbox --interface inside/p\t', '<sandbox> <--interface> <inside/payments.json>'],
  ['sandbox --env my\t', '<sandbox> <--env> <my keys>'],
  ['replay deliv\t', '<replay> <deliv>'],
];

/** Prepares a folder with files, and with a program that completes as ours does and otherwise prints its arguments. */
async function prepare(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'completion-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'inside'));
  for (const file of ['delivery.txt', 'inside/payments.json', 'my keys'])
    await writeFile(join(folder, file), '');
  const script = [
    '#!/bin/sh',
    `case $1 in complet*) exec '${process.execPath}' '${paymentsClient.path}' "$@" ;; esac`,
    "printf 'ran'; printf ' <%s>' \"$@\"; echo .",
  ].join('\n');
  await writeFile(join(folder, 'bin/payments-client'), script, { mode: 0o755 });
  return folder;
}

const shells = [
  { name: 'bash', starts: 'bash --norc --noprofile -i', loads: 'eval "$(payments-client completion bash)"' },
  {
    name: 'zsh',
    starts: 'zsh -f -i',
    loads: 'autoload -U compinit; compinit -u -D; eval "$(payments-client completion zsh)"',
  },
  {
    name: 'zsh, from a folder of functions',
    starts: 'zsh -f -i',
    loads:
      'payments-client completion zsh > bin/_payments-client; fpath+=($PWD/bin); autoload -U compinit; compinit -u -D',
  },
  { name: 'fish', starts: 'fish --no-config -i', loads: 'payments-client completion fish | source' },
];

describe.each(shells)('$name', ({ name, starts, loads }) => {
  const [shell = ''] = starts.split(' ');
  const isThere = hasTerminal && spawnSync(shell, ['--version']).status === 0;
  const { isSkipped, why } = skipWithout(
    isThere,
    `${shell} with script (of bsdutils)`,
    'test/cli/completion.test.ts',
  );

  test.skipIf(isSkipped)(`completes what is typed${why}`, async () => {
    const folder = await prepare();
    const keys = [loads, ...typed.map(([line]) => `payments-client ${line}`), 'exit', ''].join('\n');
    const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, HOME: folder };
    const shown = await typeInto(starts, keys, folder, env);
    const ran = Array.from(shown.matchAll(/ran (<.*>)\./g), ([, words]) => words);
    expect(ran, `${name} shows: ${shown}`).toEqual(typed.map(([, runs]) => runs));
  });
});
