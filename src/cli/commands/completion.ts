import type { Command } from 'commander';
import { candidatesFor, files } from '../candidates.ts';
import type { Console } from '../console.ts';
import { describe } from '../help.ts';
import { choiceOperand } from '../options.ts';
import { scripts, shells } from '../shell-scripts.ts';

const more = `Put the line of your shell where it starts:

  ~/.bashrc                   eval "$(payments-client completion bash)"
  ~/.zshrc, after compinit    eval "$(payments-client completion zsh)"
  ~/.config/fish/config.fish  payments-client completion fish | source

The shell has to find payments-client itself: install the package with npm install --global, or have
node_modules/.bin in PATH.`;

/** Bash splits words at `=` and `:`, and a lone one belongs to its neighbours. */
function joined(words: readonly string[]): readonly string[] {
  return words
    .join('\0')
    .replaceAll(/\0([=:]+)(?:\0|$)/g, '$1')
    .split('\0');
}

/** `completion <shell>`: prints a script. Its hidden partner `complete` is what the scripts ask. */
export function addCompletion(program: Command, { print }: Console): void {
  describe(program.command('completion'), {
    summary: 'Prints a script with which a shell completes commands, options and their values.',
    more,
    examples: ['completion bash', 'completion zsh > ~/.zsh/_payments-client'],
  })
    .addArgument(choiceOperand('shell', `one of ${shells.join(', ')}`, shells))
    .action((shell: (typeof shells)[number]) => print({ script: scripts[shell] }, scripts[shell].trimEnd()));
  program.command('complete [words...]', { hidden: true }).action((words: readonly string[]) => {
    const found = candidatesFor(program, joined(words));
    const lines =
      found === files ? [':files'] : found.map(({ word, help }) => (help === '' ? word : `${word}\t${help}`));
    for (const line of lines) print(line, line);
  });
}
