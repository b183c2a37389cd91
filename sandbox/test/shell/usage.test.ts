/** Reaches inside: commander parses the examples of the help, and runs nothing. */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { catalogTypes } from '../../../test/support/event-catalog.ts';
import { readForms } from '../../src/domain/forms.ts';
import { createProgram } from '../../src/shell/run.ts';
import { endAll, run } from './support.ts';

afterEach(endAll);

function programOf(): Command {
  const { stdout, stderr } = process;
  return createProgram({ stdout, stderr, folder: '.', untilInterrupted: async () => {} }).program;
}

/** A command and those below it. */
const allCommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(allCommands),
];

/** The words of each command that the help shows. */
const shown = allCommands(programOf()).flatMap((command) => {
  const words: string[] = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) words.unshift(one.name());
  return words.length === 0 || words[0] === 'help' || words[0] === 'complete' ? [] : [words];
});

test.each([['--version'], ['-V'], ['-v']])('%s shows the version of the package', async (option) => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(await run([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([[[]], [['clock']], [['--no-color']]])('%j without a command shows help', async (args) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(`${stderr}`).toBe((await run([...args, '--help'])).stdout);
});

test('the help lists every command, and is the same however it is requested', async () => {
  const [option, command, short] = [await run(['--help']), await run(['help']), await run(['-h'])];
  expect(option).toMatchObject({ code: 0, stderr: '' });
  expect(shown.length).toBeGreaterThan(30);
  for (const [name] of shown) expect(option.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  expect([command, short]).toEqual([option, option]);
});

test.each(shown.map((words) => [words.join(' '), words] as const))(
  'the help of %s is short, has an example, and knows its own options',
  async (name, words) => {
    const { code, stdout, stderr } = await run([...words, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect((await run(['help', ...words])).stdout).toBe(stdout);
    expect(stdout).toContain(`Usage: payments-client ${name} [options]`);
    expect(stdout).toMatch(/^Examples:\n {2}payments-client /m);
    expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
    const flags = [...stdout.matchAll(/^ {2}(?:-[hV], )?(--[\w-]+).* {2,}\S/gm)].map(
      ([, flag]) => `${flag}=`,
    );
    expect(flags.length).toBeGreaterThan(4);
    expect((await run([...words, ...flags])).stderr).not.toMatch(/unknown option/);
  },
);

test('the help of trigger lists every type, and that of faults inject every kind', async () => {
  const [types, kinds] = await Promise.all([run(['help', 'trigger']), run(['help', 'faults', 'inject'])]);
  for (const type of [...catalogTypes, 'connection.activated', 'chargeback.received']) {
    expect(types.stdout).toContain(`\n  ${type}\n`);
  }
  for (const kind of ['latency', 'drop_reply', 'malformed_body']) {
    expect(kinds.stdout).toContain(`\n  ${kind}\n`);
  }
});

describe('an example of the help', () => {
  function examplesOf(command: Command): readonly string[] {
    const [, lines = ''] = command.description().split('Examples:\n');
    return lines.split('\n').flatMap((line) => line.trim().replace(/^payments-client /, '') || []);
  }

  const examples = [...new Set(allCommands(programOf()).flatMap(examplesOf))];

  /** Splits a command line as a shell does, without what it writes to a file. */
  function wordsOf(example: string): readonly string[] {
    const [line = ''] = example.split(' > ');
    return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  }

  test.each(examples)('parses: %s', async (example) => {
    const environment = vi.spyOn(process, 'loadEnvFile').mockReturnValue();
    onTestFinished(() => environment.mockRestore());
    const program = programOf();
    const ran: string[] = [];
    for (const command of allCommands(program)) {
      if (command.commands.length === 0) command.action(() => void ran.push(command.name()));
    }
    await program.parseAsync(wordsOf(example), { from: 'user' });
    expect(ran).toHaveLength(1);
  });

  test('names ids as the sandbox makes them', () => {
    const { prefixes } = readForms({});
    // Not objects of the service.
    const known = [...Object.values(prefixes), 'tok_'];
    const ids = examples.flatMap((example) => example.match(/\b[a-z]+_(?=0123456789abcdef)/g) ?? []);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((prefix) => !known.includes(prefix))).toEqual([]);
  });
});

const mistakes: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['--json'], /expected a command, got nothing/],
  [['sandbx'], /expected a command, got 'sandbx' \(did you mean 'sandbox'\?\)\./],
  [['evnets'], /did you mean 'events'\?/],
  [['help', 'triger'], /\(did you mean 'trigger'\?\)/],
  [['teapot'], /expected a command, got 'teapot'\. See/],
  [['listen'], /got 'listen' \(did you mean 'payments-client sandbox --forward-to <address>'\?\)\./],
  [['listen', 'localhost:3000'], /did you mean 'payments-client sandbox --forward-to <address>'\?/],
  [['login'], /got 'login' \(did you mean 'payments-client sandbox'\?\)\./],
  [['help', 'logs'], /got 'logs' \(did you mean 'payments-client requests --follow'\?\)\./],
  [['clock', 'login'], /expected a command, got 'login'\. See/],
  [['seed', '--custmers', '4'], /unknown option '--custmers' \(Did you mean --customers\?\)/],
  [['sandbox', '--port', 'x'], /expected --port to be an integer from 0 to 65535, got 'x'/],
  [['sandbox', '--port', '70000'], /from 0 to 65535/],
  [['sandbox', '--port'], /--port/],
  [['sandbox', '--port='], /expected a value for --port/],
  [['sandbox', '--forward-to', 'shop'], /expected --forward-to to be an http:\/\/ or https:\/\/ address/],
  [['sandbox', '--data', '--json'], /option '--data <file>' argument missing/],
  [['sandbox', '--forward-to', 'localhost'], /or a host and a port, got 'localhost'/],
  [['sandbox', '--forward-to', 'ada:1@localhost:3000'], /expected --forward-to to be/],
  [
    ['sandbox', '--forward-to', 'http://ada:x@localhost'],
    /--forward-to to be an address without a user name.*, got one/,
  ],
  [['sandbox', 'here'], /too many arguments for 'sandbox'/],
  [['faults', 'clea'], /expected a command, got 'clea' \(did you mean 'clear'\?\)\./],
  [['faults', 'list', 'ad'], /too many arguments for 'list'/],
  [
    ['faults', 'inject', 'latenci'],
    /expected <kind> to be a kind of fault, got 'latenci' \(did you mean 'latency'\?\)\./,
  ],
  [
    ['faults', 'inject', 'drop_reply', '--operation', 'paymentIntent.create'],
    /expected --operation to be an operation such as .* \(did you mean 'paymentIntents\.create'\?\)/,
  ],
  [['orders', 'order-1', 'order-2'], /too many arguments for 'orders'/],
  [['orders', ''], /expected a value for <id>, got an empty text\./],
  [['orders', '--limit', '0'], /expected --limit to be an integer from 1/],
  [
    ['trigger', 'custmer.created'],
    /expected <type> to be an event type, .* \(did you mean 'customer\.created'\?\)/,
  ],
  [['trigger', 'charge.refunded'], /got 'charge\.refunded' \(did you mean 'refund\.succeeded'\?\)\./],
  [['trigger', 'charge.dispute.created'], /did you mean 'chargeback\.received'\?/],
  [['trigger', 'customer.subscription.deleted'], /did you mean 'subscription\.canceled'\?/],
  [['events', '--type', 'charge.succeeded'], /did you mean 'payment_intent\.succeeded'\?/],
  [['trigger', 'constructor'], /expected <type> to be an event type, got 'constructor'\./],
  [['events', '--type', 'refund'], /expected --type to be an event type, got 'refund'\./],
  [['completion', 'powershell'], /expected <shell> to be one of bash, zsh, fish, got 'powershell'\./],
  [
    ['events', '--env', '/nowhere/.env'],
    /expected --env to be a file of variables, got '\/nowhere\/\.env' \(ENOENT\)/,
  ],
  [['faults', 'inject'], /missing required argument 'kind'/],
  [['requests', '--limit', 'x'], /expected --limit to be an integer from 1, got 'x'/],
  [['sandbox', '-x'], /-x/],
  [['trigger'], /missing required argument 'type'/],
  [['trigger', 'customer.created', '--set', 'amount'], /expected --set to be field=value, got 'amount'/],
  [['events', '--json=yes'], /--json/],
  [['seed', '--intents', '-3'], /--intents/],
  [['clock', 'back', '3 days'], /expected a command, got 'back'\./],
  [['clock', 'advance'], /missing required argument 'advance'/],
  [['webhooks', 'replay'], /missing required argument 'id'/],
  [['webhooks', 'replay', 'evt_1', '--url', 'nowhere'], /expected --url to be/],
];

test.each(mistakes)('%j is one line of JSON with --json, and exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await run(['--json', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  const { error } = JSON.parse(stderr);
  expect(error).toEqual({ code: 'USAGE', message: expect.stringMatching(message) });
  expect(error.message).toMatch(/ See 'payments-client help[\w ]*'\.$/);
});

test.each([
  [
    ['faults', 'clea'],
    "payments-client faults: expected a command, got 'clea' (did you mean 'clear'?). See 'payments-client help faults'.\n",
  ],
  [['sandbox', '-x'], "payments-client sandbox: unknown option '-x'. See 'payments-client help sandbox'.\n"],
])('%j is one line of text without it', async (args, stderr) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
});
