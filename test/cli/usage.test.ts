import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { everyNth } from '../support/size.ts';
import { endAll, run } from './support.ts';

// Each program takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(endAll);

/** Each command, with its operands and options. */
const commands = {
  sandbox: [
    ...['--port', '--host', '--forward-to', '--allow-remote-webhooks', '--data', '--seed'],
    ...['--secret-key', '--security-key', '--public-key', '--json'],
  ],
  trigger: ['<type>', '--set', '--url', '--secret-key'],
  events: ['--follow', '--type', '--limit', '--json', '--url', '--secret-key'],
  seed: ['--customers', '--intents', '--months', '--seed', '--url', '--secret-key'],
  clock: ['advance', '<duration>', '--url', '--secret-key'],
  replay: ['<event>', '--url', '--secret-key'],
};

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('the help names every command, and is the same by every way to it', async () => {
  const [option, command, short] = await Promise.all([run(['--help']), run(['help']), run(['-h'])]);
  expect(option).toMatchObject({ code: 0, stderr: '' });
  for (const name of Object.keys(commands)) expect(option.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  expect(command).toEqual(option);
  expect(short).toEqual(option);
});

test.each(Object.entries(commands))(
  'the help of %s names all that it takes, and nothing else',
  async (name, parts) => {
    const [option, command] = await Promise.all([run([name, '--help']), run(['help', name])]);
    expect(command).toEqual(option);
    const { code, stdout, stderr } = option;
    expect([code, stderr]).toEqual([0, '']);
    const flags = [...stdout.matchAll(/^ {2}(--[\w-]+).* {2,}\S/gm)].map(([, flag]) => flag);
    expect(flags).toEqual([...parts.filter((part) => part.startsWith('--')), '--help']);
    for (const operand of parts.filter((part) => !part.startsWith('--'))) {
      expect(stdout).toMatch(new RegExp(`^ {2}payments-client ${name}.* ${operand}`, 'm'));
    }
    expect(stdout).toMatch(/^Examples:\n {2}payments-client /m);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
  },
);

test('every option in the help is one that the command knows', async () => {
  for (const [name, parts] of Object.entries(commands)) {
    const args = parts.filter((part) => part.startsWith('--')).map((flag) => `${flag}=`);
    const { stderr } = await run([name, ...args]);
    expect(stderr).not.toMatch(/no option/);
  }
});

const mistakes: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /expected a command/],
  [['sandbx'], /no command 'sandbx'\. Did you mean 'sandbox'\?/],
  [['evnets'], /Did you mean 'events'\?/],
  [['help', 'triger'], /Did you mean 'trigger'\?/],
  [['teapot'], /no command 'teapot'\. See/],
  [['seed', '--custmers', '4'], /no option --custmers\. Did you mean '--customers'\?/],
  [['sandbox', '--port', 'x'], /expected --port to be an integer from 0 to 65535, got 'x'/],
  [['sandbox', '--port', '70000'], /from 0 to 65535/],
  [['sandbox', '--port'], /--port/],
  [['sandbox', '--port='], /expected a value for --port/],
  [['sandbox', '--host', '0.0.0.0'], /expected --host to be one of 127\.0\.0\.1, ::1, localhost/],
  [['sandbox', '--forward-to', 'shop'], /expected --forward-to to be an http:\/\/ or https:\/\/ address/],
  [['sandbox', 'here'], /unexpected 'here'/],
  [['sandbox', '-x'], /-x/],
  [['trigger'], /expected <type>/],
  [['trigger', 'customer.created', '--set', 'amount'], /expected --set to be field=value, got 'amount'/],
  [['events', '--limit', '0'], /expected --limit to be an integer from 1/],
  [['events', '--json=yes'], /--json/],
  [['seed', '--intents', '-3'], /--intents/],
  [['clock', 'back', '3 days'], /expected 'advance', got 'back'/],
  [['clock', 'advance'], /expected <duration>/],
  [['replay'], /expected <event>/],
  [['replay', 'evt_1', '--url', 'nowhere'], /expected --url to be/],
];

test.each(everyNth(mistakes, 4))('%j is one line on stderr, and exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^payments-client.* See 'payments-client help[\w ]*'\.\n$/);
});
