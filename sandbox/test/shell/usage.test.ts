/** Reaches inside: commander parses the examples of the help, and runs nothing. */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { catalogTypes } from '../../../test/support/event-catalog.ts';
import { readForms } from '../../src/domain/forms.ts';
import { createProgram } from '../../src/shell/run.ts';
import { endAll, run } from './support.ts';

afterEach(endAll);

const globals = ['--json', '--color', '--no-color', '--env', '--version'];

/** Each command, with its operands and options. */
const commands = {
  sandbox: [
    '--port',
    '--host',
    '--allow-remote',
    '--forward-to',
    '--allow-remote-webhooks',
    '--data',
    '--interface',
    '--only-shown-fields',
    '--seed',
    '--secret-key',
    '--security-key',
    '--public-key',
    '--webhook-secret',
  ],
  env: ['--url'],
  pay: ['<id>', '--payment-method', '--url', '--secret-key'],
  trigger: ['<type>', '--set', '--bare', '--url', '--secret-key'],
  tokenize: ['<card>', '--url', '--secret-key'],
  authenticate: ['<payment_token>', '--challenge', '--url', '--secret-key'],
  settle: ['--currency', '--terminal-ids', '--url', '--secret-key'],
  reconcile: ['<batch>', '<outcome>', '--url', '--secret-key'],
  add: ['<kind>', '--set', '--url', '--secret-key'],
  update: ['<kind>', '<id>', '--set', '--url', '--secret-key'],
  orders: ['--needs', '--limit', '--url', '--secret-key'],
  events: ['--follow', '--type', '--limit', '--url', '--secret-key'],
  requests: ['--follow', '--limit', '--url', '--secret-key'],
  faults: [],
  'faults list': ['--url', '--secret-key'],
  'faults clear': ['--url', '--secret-key'],
  'faults withdraw': ['<id>', '--url', '--secret-key'],
  'faults inject': ['<kind>', '--operation', '--set', '--url', '--secret-key'],
  seed: ['--customers', '--intents', '--months', '--seed', '--url', '--secret-key'],
  clock: [],
  'clock advance': ['<advance>', '--url', '--secret-key'],
  webhooks: [],
  'webhooks list': ['--url', '--secret-key'],
  'webhooks add': ['<url>', '--events', '--url', '--secret-key'],
  'webhooks enable': ['[id]', '--url', '--secret-key'],
  'webhooks disable': ['[id]', '--url', '--secret-key'],
  'webhooks delete': ['[id]', '--url', '--secret-key'],
  'webhooks rotate': ['[id]', '--url', '--secret-key'],
  'webhooks drop': ['[id]', '--url', '--secret-key'],
  'webhooks replay': ['<id>', '--url', '--secret-key'],
  'webhooks redeliver': ['[id]', '--url', '--secret-key'],
  snapshot: ['[name]', '--url', '--secret-key'],
  restore: ['<name>', '--url', '--secret-key'],
  reset: ['--url', '--secret-key'],
  probe: [
    '--base-url',
    '--create',
    '--form',
    '--webhook',
    '--webhook-port',
    '--out',
    '--force',
    '--dry-run',
    '--max-requests',
    '--pace',
  ],
  completion: ['<shell>'],
};

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
  const [option, command, short] = await Promise.all([run(['--help']), run(['help']), run(['-h'])]);
  expect(option).toMatchObject({ code: 0, stderr: '' });
  const names = Object.keys(commands).filter((name) => !name.includes(' '));
  for (const name of names) expect(option.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  expect(command).toEqual(option);
  expect(short).toEqual(option);
});

test.each(Object.entries(commands))(
  'the help of %s lists exactly its operands and options',
  async (name, parts) => {
    const [option, command] = await Promise.all([
      run([...name.split(' '), '--help']),
      run(['help', ...name.split(' ')]),
    ]);
    expect(command).toEqual(option);
    const { code, stdout, stderr } = option;
    expect([code, stderr]).toEqual([0, '']);
    const flags = [...stdout.matchAll(/^ {2}(?:-[hV], )?(--[\w-]+).* {2,}\S/gm)].map(([, flag]) => flag);
    expect(flags).toEqual([...parts.filter((part) => part.startsWith('--')), '--help', ...globals]);
    const operands = parts.filter((part) => !part.startsWith('--'));
    const usage = ['Usage: payments-client', name, '[options]', ...operands].join(' ');
    if (operands.length > 0) expect(stdout).toContain(`${usage}\n`);
    expect(stdout).toMatch(/^Examples:\n {2}payments-client /m);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
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

test('every option in the help is known to the command', async () => {
  for (const [name, parts] of Object.entries(commands)) {
    const args = parts.filter((part) => part.startsWith('--')).map((flag) => `${flag}=`);
    const { stderr } = await run([...name.split(' '), ...args]);
    expect(stderr).not.toMatch(/unknown option/);
  }
});

describe('an example of the help', () => {
  function programOf(): Command {
    const { stdout, stderr } = process;
    return createProgram({ stdout, stderr, folder: '.', untilInterrupted: async () => {} }).program;
  }

  function allCommands(command: Command): readonly Command[] {
    return [command, ...command.commands.flatMap(allCommands)];
  }

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
  [['sandbox', '--host', '0.0.0.0'], /expected --host to be one of 127\.0\.0\.1, ::1, localhost/],
  [['sandbox', '--forward-to', 'shop'], /expected --forward-to to be an http:\/\/ or https:\/\/ address/],
  [['sandbox', '--data', '--json'], /option '--data <file>' argument missing/],
  [['sandbox', '--forward-to', 'localhost'], /or a host and a port, got 'localhost'/],
  [['sandbox', '--forward-to', 'ada:1@localhost:3000'], /expected --forward-to to be/],
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
  [['events', '--limit', '0'], /expected --limit to be an integer from 1/],
  [['events', '--json=yes'], /--json/],
  [['seed', '--intents', '-3'], /--intents/],
  [['clock', 'back', '3 days'], /expected a command, got 'back'\./],
  [['clock', 'advance'], /missing required argument 'advance'/],
  [['webhooks', 'replay'], /missing required argument 'id'/],
  [['webhooks', 'replay', 'evt_1', '--url', 'nowhere'], /expected --url to be/],
];

test.each(mistakes)('%j is one line on stderr, of text or JSON, and exit code 2', async (args, message) => {
  const [text, json] = await Promise.all([run(args), run(['--json', ...args])]);
  expect([text.code, text.stdout, json.code, json.stdout]).toEqual([2, '', 2, '']);
  const { error } = JSON.parse(json.stderr);
  expect(error).toEqual({ code: 'USAGE', message: expect.stringMatching(message) });
  expect(error.message).toMatch(/ See 'payments-client help[\w ]*'\.$/);
  if (!args.includes('--json')) expect(text.stderr).toMatch(/^payments-client[\w ]*: .*\n$/);
  expect(text.stderr).toContain(error.message.slice(0, 20));
});
