/** What the program answers when a shell asks how to complete a command line, and the scripts that make shells ask. */

import { afterEach, describe, expect, test } from 'vitest';
import { catalogTypes } from '../../../test/support/event-catalog.ts';
import { endAll, run } from './support.ts';

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
    expect(stdout).toContain('seed\tCreates sample data');
    const { stdout: help } = await run(['--help']);
    const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(
      ([, name]) => name,
    );
    expect(listed.length).toBeGreaterThan(20);
    expect(await complete('')).toEqual(listed);
    expect(await complete('faults', '')).toEqual(['list', 'inject', 'withdraw', 'clear']);
    expect(await complete('help', 'faults', 'i')).toEqual(['inject']);
  });

  test('every option that the help of a command names', async () => {
    for (const command of [['sandbox'], ['faults', 'inject'], ['probe'], []]) {
      const { stdout } = await run([...command, '--help']);
      const flags = Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag);
      expect((await complete(...command, '--')).toSorted()).toEqual(flags.toSorted());
    }
  });

  test.each<readonly [line: string, words: readonly string[]]>([
    ['trigger --set a=1 --url http://127.0.0.1:1 refund.f', ['refund.failed']],
    ['events --type refund.f', ['refund.failed']],
    ['events --type=refund.f', ['--type=refund.failed']],
    ['faults inject drop_r', ['drop_request', 'drop_reply']],
    ['faults inject drop_reply --operation refunds.c', ['refunds.create']],
    ['--json completion ', ['bash', 'zsh', 'fish']],
    // Bash splits words at = and :.
    ['events --type = refund.f', ['--type=refund.failed']],
    ['sandbox --data =', [':files']],
    ['trigger --url http : //127.0.0.1 : 4242 refund.f', ['refund.failed']],
    // Files for options that take a file, and nowhere else.
    ...['--data', '--interface', '--env'].flatMap((option): [string, string[]][] => [
      [`sandbox ${option} x`, [':files']],
      [`sandbox ${option}=x`, [':files']],
    ]),
    ['probe --webhook x', [':files']],
    ['probe --webhook --cr', ['--create']],
    ['sandbox --host x', []],
    ['webhooks replay x', []],
    ['trigger refund.failed x', []],
  ])('%s', async (line, words) => {
    expect(await complete(...line.split(' '))).toEqual(words);
  });

  test('each type of event', async () => {
    expect(await complete('trigger', '')).toEqual(expect.arrayContaining(catalogTypes));
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

test.each([
  ['bash', 'complete -F _payments_client payments-client'],
  ['zsh', 'compdef _payments-client payments-client'],
  ['fish', "complete -c payments-client -f -a '(__payments_client_complete)'"],
])('the script for %s makes the shell ask the program', async (shell, registration) => {
  const { code, stdout } = await run(['completion', shell]);
  expect([code, JSON.parse((await run(['completion', shell, '--json'])).stdout)]).toEqual([
    0,
    { script: stdout },
  ]);
  expect(stdout).toContain(`${registration}\n`);
  expect(stdout).toMatch(/\bcomplete -- .* 2>\/dev\/null/);
  expect(stdout).toContain(':files');
});
