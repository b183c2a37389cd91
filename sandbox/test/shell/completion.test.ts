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
    expect(await complete('')).toEqual([
      'sandbox',
      'env',
      'orders',
      'events',
      'requests',
      'faults',
      'pay',
      'trigger',
      'visit',
      'tokenize',
      'authenticate',
      'settle',
      'reconcile',
      'add',
      'update',
      'clock',
      'webhooks',
      'snapshot',
      'restore',
      'seed',
      'demo',
      'reset',
      'probe',
      'completion',
      'help',
    ]);
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

  test('types of events, kinds of faults, operations and shells', async () => {
    expect(await complete('trigger', '')).toEqual(expect.arrayContaining(catalogTypes));
    expect(await complete('trigger', '--set', 'a=1', '--url', 'http://127.0.0.1:1', 'refund.f')).toEqual([
      'refund.failed',
    ]);
    expect(await complete('events', '--type', 'refund.f')).toEqual(['refund.failed']);
    expect(await complete('events', '--type=refund.f')).toEqual(['--type=refund.failed']);
    expect(await complete('faults', 'inject', 'drop_r')).toEqual(['drop_request', 'drop_reply']);
    expect(await complete('faults', 'inject', 'drop_reply', '--operation', 'refunds.c')).toEqual([
      'refunds.create',
    ]);
    expect(await complete('--json', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('words that bash splits at = and :', async () => {
    expect(await complete('events', '--type', '=', 'refund.f')).toEqual(['--type=refund.failed']);
    expect(await complete('sandbox', '--data', '=')).toEqual([':files']);
    const url = ['--url', 'http', ':', '//127.0.0.1', ':', '4242'];
    expect(await complete('trigger', ...url, 'refund.f')).toEqual(['refund.failed']);
  });

  test('files for options that take a file, and nowhere else', async () => {
    for (const option of ['--data', '--interface', '--env']) {
      expect(await complete('sandbox', option, 'x')).toEqual([':files']);
      expect(await complete('sandbox', `${option}=x`)).toEqual([':files']);
    }
    expect(await complete('probe', '--webhook', 'x')).toEqual([':files']);
    expect(await complete('probe', '--webhook', '--cr')).toEqual(['--create']);
    expect(await complete('sandbox', '--host', 'x')).toEqual([]);
    expect(await complete('webhooks', 'replay', 'x')).toEqual([]);
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
