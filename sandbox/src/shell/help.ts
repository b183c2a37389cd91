import { type Command, Help, type HelpConfiguration } from 'commander';

/** The maximum width of help, in characters. */
export const maxWidth = 100;

/** On a narrower terminal, descriptions go below their options. */
const minWidth = 70;

/** The layout of help. */
export const layout: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  // Commander would add all choices, of which some options have dozens.
  optionDescription: ({ description }) => description,
  formatItem(term, termWidth, description, helper) {
    const { helpWidth = maxWidth } = helper;
    if (helpWidth >= minWidth)
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return `  ${term}\n${helper.boxWrap(description, helpWidth - 6).replaceAll(/^/gm, '      ')}`;
  },
};

/** The help text of a command. */
export interface About {
  /** A one-sentence summary, shown in the list of commands. */
  readonly summary: string;
  readonly more?: string;
  /** What `--json` prints. Default: nothing to say of it. */
  readonly json?: string;
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
}

/** Adds help to a command. Examples come before options, since most readers look for one. */
export function describe(command: Command, { summary, more, json, examples }: About): Command {
  const lines = examples.map((example) => `  payments-client ${example}`);
  const printed = json === undefined ? [] : [`--json prints ${json}.`];
  const parts = [
    summary,
    ...(more === undefined ? [] : [more]),
    ...printed,
    ['Examples:', ...lines].join('\n'),
  ];
  return command.summary(summary).description(parts.join('\n\n'));
}
