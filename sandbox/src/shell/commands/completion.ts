import type { Command } from 'commander';
import { candidatesFor, files } from '../candidates.ts';
import type { Console } from '../console.ts';
import { describe } from '../help.ts';
import { choiceOperand } from '../options.ts';
import { scripts, shells } from '../shell-scripts.ts';

const more = `Add the line for your shell to its startup file:

  ~/.bashrc                   eval "$(payments-client completion bash)"
  ~/.zshrc, after compinit    eval "$(payments-client completion zsh)"
  ~/.config/fish/config.fish  payments-client completion fish | source

The shell must find payments-client: install both packages with npm install --global, or have
node_modules/.bin in PATH.`;

/** Bash splits words at `=` and `:`; joins such a character with its neighbours. */
function joined(words: readonly string[]): readonly string[] {
  return words
    .join('\0')
    .replaceAll(/\0([=:]+)(?:\0|$)/g, '$1')
    .split('\0');
}

/** `completion <shell>`: prints a script. The scripts call the hidden command `complete`. */
export function addCompletion(program: Command, { print }: Console): void {
  describe(program.command('completion'), {
    summary: 'Prints a script that completes commands, options and their values in a shell.',
    more,
    json: '{ script }',
    examples: ['completion bash', 'completion zsh > ~/.zsh/_payments-client'],
  })
    .addArgument(choiceOperand('shell', { what: `one of ${shells.join(', ')}`, words: shells }))
    .action((shell: (typeof shells)[number]) => print({ script: scripts[shell] }, scripts[shell].trimEnd()));
  program.command('complete [words...]', { hidden: true }).action((words: readonly string[]) => {
    const found = candidatesFor(program, joined(words));
    const lines =
      found === files ? [':files'] : found.map(({ word, help }) => (help === '' ? word : `${word}\t${help}`));
    for (const line of lines) print(line, line);
  });
}
