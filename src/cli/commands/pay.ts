import type { Command } from 'commander';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { describe } from '../help.ts';
import { option, readText, withOptions } from '../options.ts';
import { visible } from '../visible.ts';

/** The part of the payment intent that the command shows. */
interface PaidIntent {
  readonly id: string;
  readonly status: string;
}

interface Given extends ControlOptions {
  readonly paymentMethod?: string;
}

const methodHelp =
  'The payment method; pm_card_declined is declined. Default: the attached one, otherwise one that succeeds.';

/** A declined payment intent waits for another payment method. */
function resultOf({ status }: PaidIntent): string {
  return status === 'requires_payment_method' ? 'Declined: the buyer may use another card.' : 'Paid.';
}

/** `pay <id>`: pays as the buyer. */
export function addPay(program: Command, console: Console): void {
  const pay = describe(program.command('pay <id>'), {
    summary: 'Pays a checkout session, payment intent or invoice of a running sandbox, as the buyer.',
    examples: ['pay cs_0123456789abcdef', 'pay cs_0123456789abcdef --payment-method pm_card_declined'],
  });
  withOptions(pay, option('--payment-method <id>', methodHelp, readText), ...controlOptions).action(
    async (id: string, { paymentMethod, ...given }: Given) => {
      const body = { id, ...(paymentMethod !== undefined && { payment_method: paymentMethod }) };
      // Not validated: the control API is in the same package, and its tests check the form.
      const intent = (await controlClient(given).post('pay', body)) as PaidIntent;
      console.print(
        intent,
        visible(`${resultOf(intent)} The payment intent ${intent.id} has the status ${intent.status}.`),
      );
    },
  );
}
