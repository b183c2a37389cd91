import { type Command, Help, type HelpConfiguration } from 'commander';

/** The widest line of help, in characters. */
export const maxWidth = 100;

/** On a narrower terminal, a description has too little room beside its option, and goes below it. */
const minWidth = 70;

/** The layout of help. */
export const layout: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  // Commander would add the choices, of which some options have dozens.
  optionDescription: ({ description }) => description,
  formatItem(term, termWidth, description, helper) {
    const { helpWidth = maxWidth } = helper;
    if (helpWidth >= minWidth)
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return `  ${term}\n${helper.boxWrap(description, helpWidth - 6).replaceAll(/^/gm, '      ')}`;
  },
};

/** What the help of a command says. */
export interface About {
  /** What it does, in one sentence: all that the list of commands shows. */
  readonly summary: string;
  readonly more?: string;
  /** Command lines, without the name of the program. */
  readonly examples: readonly string[];
}

/** Gives a command its help. Examples come before options, since most readers look for one. */
export function describe(command: Command, { summary, more, examples }: About): Command {
  const lines = examples.map((example) => `  payments-client ${example}`);
  const parts = [summary, ...(more === undefined ? [] : [more]), ['Examples:', ...lines].join('\n')];
  return command.summary(summary).description(parts.join('\n\n'));
}
