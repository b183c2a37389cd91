import { parseArgs } from 'node:util';
import { ConfigurationError } from '../base/errors.ts';
import { messageOf } from '../base/functions.ts';
import { version } from '../base/runtime/version.ts';
import { loadShell, type Surroundings } from './shell.node.ts';

const install = 'npm install --save-dev payments-client-sandbox';
const missing = `The commands need payments-client-sandbox. Install it: ${install}`;
/** What to do about a package that is there and cannot be used. */
const broken = `If payments-client-sandbox is damaged, install it again: ${install}`;

const help = `Usage: payments-client <command> [options]

  sandbox        Runs a local sandbox of the payment service.
  probe          Asks a real service which forms it uses.
  -V, --version  Shows the version.
  -h, --help     Shows this help.

${missing}
`;

/** Returns what the line asks of this program alone: its version, its help, or neither. */
function asked(line: readonly string[]): 'version' | 'help' | 'nothing' | undefined {
  const { values, positionals } = parseArgs({
    args: [...line],
    strict: false,
    allowPositionals: true,
    options: { version: { type: 'boolean', short: 'V' }, v: { type: 'boolean', short: 'v' } },
  });
  const [command] = positionals;
  if (line.length === 0) return 'nothing';
  if (command !== undefined) return command === 'help' ? 'help' : undefined;
  return values['version'] || values['v'] ? 'version' : 'help';
}

/** Runs the program. Resolves with the exit code; writes an error as one line. */
export async function run(line: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, folder } = surroundings;
  const wanted = asked(line);
  if (wanted === 'version') {
    stdout.write(`${version}\n`);
    return 0;
  }
  try {
    const shell = loadShell(folder);
    if (shell !== undefined) return await shell.run(line, surroundings);
  } catch (error) {
    const [problem = ''] = messageOf(error).split('\n');
    const advised =
      error instanceof ConfigurationError ? problem : `${problem.replace(/\.$/, '')}. ${broken}`;
    stderr.write(`payments-client: ${advised}\n`);
    return 1;
  }
  if (wanted === 'help') {
    stdout.write(help);
    return 0;
  }
  stderr.write(wanted === 'nothing' ? help : `payments-client: ${missing}\n`);
  return 2;
}
