import { type PayOptions, pay } from '../domain/payments/pay.ts';
import { idOf, optional, text } from './argument.ts';
import { Command } from './command.ts';

const methodHelp =
  'The payment method, such as pm_card_declined. Default: the attached one, otherwise one that pays.';

export const payCommand = new Command({
  name: 'pay',
  summary: 'Pays a checkout session, a payment intent or an invoice as the buyer.',
  examples: ['pay cs_0123456789abcdef', 'pay cs_0123456789abcdef --payment-method pm_card_declined'],
  args: {
    id: text('The id of the session, intent or invoice.'),
    payment_method: optional(idOf('payment_method', methodHelp)),
  },
  run: ({ state }, { id, ...options }: PayOptions & { readonly id: string }) =>
    state.unit(() => pay(state, id, options)),
  tell: ({ id, status }) => {
    const result =
      status === 'requires_payment_method' ? 'Declined: the buyer may use another card.' : 'Paid.';
    return `${result} The payment intent ${id} has the status ${status}.`;
  },
});
