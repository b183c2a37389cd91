import { type VisitOptions, visit } from '../scenarios/visit.ts';
import { optional, text } from './argument.ts';
import { Command } from './command.ts';

export const visitCommand = new Command({
  name: 'visit',
  summary: 'Visits an account link as the merchant, who creates an account or selects one.',
  examples: ['visit alnk_0123456789abcdef'],
  args: {
    id: text('The id of the account link.'),
    account: optional(text('The account that the merchant selects. Default: a new one.')),
  },
  run: ({ state }, { id, ...options }: VisitOptions & { readonly id: string }) => visit(state, id, options),
  tell: ({ id, account }) => `Connected the account ${String(account)}: ${id}.`,
});
