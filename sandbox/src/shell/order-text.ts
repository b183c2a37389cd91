import { moneyText } from '../domain/amounts.ts';
import {
  type Need,
  type StoryObject,
  type StorySummary,
  type Verdict,
  verdictWords,
} from '../stories/story.ts';
import type { Story } from '../stories/whole-story.ts';
import type { Console, Style } from './console.ts';
import { amountText, LogText } from './live-log.ts';
import { ageText, dayText } from './times.ts';
import { visible } from './visible.ts';

type Paint = Console['paint'];

const styles: Readonly<Record<Verdict, Style>> = {
  charged_twice: 'red',
  unknown_to_app: 'yellow',
  open: 'cyan',
  charged_once: 'green',
  nothing_happened: 'dim',
};

const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));

const verdictWidth = widest(Object.values(verdictWords));

/** The command that delivers the events of an order that an endpoint has not taken. */
const redelivery = 'npx payments-client webhooks redeliver';

function actionText({ why, action }: Need, paint: Paint): string {
  const command = why === 'webhooks_given_up' ? ` Run: ${redelivery}` : '';
  return paint('bold', `→ ${visible(action)}${command}`);
}

/** Names an order by its id, which finds it, and its title if that is another one. */
function nameOf({ id, title }: StorySummary): string {
  return visible(title === id ? id : `${id} (${title})`);
}

const buyerOf = ({ email, customer }: StorySummary) => visible(email ?? customer ?? '');

/** Joins the texts that are not empty. */
const joined = (texts: readonly string[], separator: string) => texts.filter(Boolean).join(separator);

/** Longer names push the rest of their lines. */
const maxNameWidth = 24;

/** Returns each of some orders in two lines. */
export function orderLines(
  orders: readonly StorySummary[],
  now: number,
  { paint }: Console,
): readonly string[] {
  const nameWidth = Math.min(maxNameWidth, widest(orders.map(nameOf)));
  const amountWidth = widest(orders.map(({ money }) => amountText(money)));
  return orders.map((order) => {
    const { verdict, money, startedAt, reason, needs } = order;
    const age = ageText(now - startedAt);
    const head = [
      paint(styles[verdict], verdictWords[verdict].padEnd(verdictWidth)),
      paint('bold', nameOf(order).padEnd(nameWidth)),
      amountText(money).padStart(amountWidth),
      buyerOf(order),
      paint('dim', age === '' ? 'just now' : `${age} ago`),
    ];
    const why = needs === null ? visible(reason) : `${visible(reason)} ${actionText(needs, paint)}`;
    return `${joined(head, '  ')}\n  ${why}`;
  });
}

function objectText({ kind, id, state, money }: StoryObject): string {
  const words = [kind, state ?? ''].map((word) => word.replaceAll('_', ' '));
  return visible(`${id} ${joined([...words, amountText(money)], ', ')}`);
}

function chargesText({ charges, net, money }: Story): string {
  return charges === 0 || net === null || money === null
    ? String(charges)
    : `${charges}, ${moneyText(net, money.currency)} kept`;
}

function webhooksText({ webhooks: { delivered, failing, total } }: Story): string {
  if (total === 0) return '';
  return `${delivered} of ${total} delivered${failing === 0 ? '' : `, ${failing} failing. To deliver now: ${redelivery}`}`;
}

/** Returns the figures of an order by their names; an empty text for none. */
function figuresOf(order: Story): Readonly<Record<string, string>> {
  const { needs, attempts, objects } = order;
  return {
    due: needs?.due === undefined ? '' : dayText(needs.due),
    buyer: buyerOf(order),
    charges: chargesText(order),
    attempts: String(attempts),
    webhooks: webhooksText(order),
    objects: objects.map(objectText).join('\n'),
  };
}

function figureLines(order: Story, paint: Paint): readonly string[] {
  const figures = Object.entries(figuresOf(order)).filter(([, text]) => text !== '');
  const width = widest(figures.map(([name]) => name)) + 2;
  return figures.flatMap(([name, text]) =>
    text.split('\n').map((line, index) => paint('dim', (index === 0 ? name : '').padEnd(width)) + line),
  );
}

/** Returns an order with its figures, and what happened to it. */
export function orderText(order: Story, console: Console): string {
  const { verdict, money, reason, needs, log: entries, isCut } = order;
  const { paint } = console;
  const text = new LogText(console, { hasOrders: false });
  const head = [
    paint('bold', nameOf(order)),
    paint(styles[verdict], verdictWords[verdict]),
    amountText(money),
  ];
  return [
    joined(head, '  '),
    visible(reason),
    ...(needs === null ? [] : [actionText(needs, paint)]),
    '',
    ...figureLines(order, paint),
    '',
    ...(isCut ? ['The first entries are no longer recorded.'] : []),
    ...entries.map((entry) => text.textOf(entry)),
  ].join('\n');
}
