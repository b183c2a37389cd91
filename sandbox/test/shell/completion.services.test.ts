/** Completion in real shells: types keys into them on a terminal. */

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { endAll, hasTerminal, paymentsClient, typeInto } from '../../../test/support/programs.ts';
import { size } from '../../../test/support/size.ts';
import { skipWithout } from '../../../test/support/skip.ts';

afterEach(endAll);

/** The typed keys, with a tab at the end, and the resulting command line. */
const typed: readonly (readonly [keys: string, runs: string])[] = [
  ['trig\trefund.fa\t', '<trigger> <refund.failed>'],
  ['faults inj\tdrop_rep\t', '<faults> <inject> <drop_reply>'],
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
  ['webhooks replay deliv\t', '<webhooks> <replay> <deliv>'],
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

/** How each shell starts, and how it loads the script. */
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

const file = 'sandbox/test/shell/completion.services.test.ts';

/** Returns whether to skip a shell, and why. */
function skipOf(shell: string) {
  if (shell === 'bash' || size === 'long') {
    const isThere = hasTerminal && spawnSync(shell, ['--version']).status === 0;
    return skipWithout(isThere, `${shell} with script (of bsdutils)`, file);
  }
  const reason = 'skipped: only the nightly form runs it, with TEST_SIZE=long';
  process.stderr.write(`${file}: ${shell}: ${reason}\n`);
  return { isSkipped: true, why: ` (${reason})` };
}

describe.each(shells)('$name', ({ name, starts, loads }) => {
  const [shell = ''] = starts.split(' ');
  const { isSkipped, why } = skipOf(shell);

  test.skipIf(isSkipped)(`completes what is typed${why}`, async () => {
    const folder = await prepare();
    const keys = [loads, ...typed.map(([line]) => `payments-client ${line}`), 'exit', ''].join('\n');
    const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, HOME: folder };
    const shown = await typeInto(starts, keys, folder, env);
    const ran = Array.from(shown.matchAll(/ran (<.*>)\./g), ([, words]) => words);
    expect(ran, `${name} shows: ${shown}`).toEqual(typed.map(([, runs]) => runs));
  });
});
