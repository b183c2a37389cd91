import { Argument, type Command } from 'commander';
import type { StorySummary } from '../../stories/story.ts';
import type { Story } from '../../stories/whole-story.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { describe } from '../help.ts';
import { flag, limitOption, readText, withOptions } from '../options.ts';

interface Given extends ControlOptions {
  readonly needs?: boolean;
  readonly limit?: number;
}

async function list({ needs, limit = 20, ...given }: Given, console: Console): Promise<void> {
  const query = new URLSearchParams({ ...(needs && { needs: 'any' }), limit: String(limit) });
  const body = await controlClient(given).get(`stories?${query}`);
  // Not validated: the control API is in the same package, and its tests check the form.
  const { data, now } = body as { readonly data: readonly StorySummary[]; readonly now: number };
  // Loaded lazily, so that the other commands start fast.
  const { orderLines } = await import('../order-text.ts');
  const lines = orderLines(data, now, console);
  for (const [index, order] of data.entries()) console.print(order, lines[index] ?? '');
  if (data.length === 0) console.tell(needs ? 'No order needs anybody.' : 'There are no orders yet.');
}

async function show(id: string, given: Given, console: Console): Promise<void> {
  const body = await controlClient(given).get(`stories/${encodeURIComponent(id)}`);
  // Not validated, as above.
  const order = body as Story;
  const { orderText } = await import('../order-text.ts');
  console.print(order, orderText(order, console));
}

const more = [
  'Orders that somebody must act on come first, each with its next step after →.',
  'The id is your own id of the order, the operation id, or the id of an object, an event or a request.',
].join(' ');

/** `orders`: says of each order whether it was charged once, and what to do about it. */
export function addOrders(program: Command, console: Console): void {
  const orders = describe(program.command('orders'), {
    summary: 'Shows whether each order in a running sandbox was charged once, and what to do about it.',
    more,
    examples: ['orders', 'orders --needs', 'orders order-1042'],
  });
  const id = new Argument('[id]', 'The order to show with all that happened. Default: all orders.');
  orders.addArgument(id.argParser((text: string) => readText(text, '<id>')));
  withOptions(
    orders,
    flag('--needs', 'Shows only the orders that somebody must act on.'),
    limitOption('orders'),
    ...controlOptions,
  ).action((chosen: string | undefined, given: Given) =>
    chosen === undefined ? list(given, console) : show(chosen, given, console),
  );
}
