import { moneyText } from '../domain/amounts.ts';
import type { LogEntry } from '../stories/log-entry.ts';
import type { Result } from '../stories/result.ts';
import type { Money } from '../stories/story.ts';
import type { Console, Style } from './console.ts';
import { ageText, clockTime, dayText } from './times.ts';
import { visible } from './visible.ts';

type Kind = LogEntry['kind'];
type Of<Name extends Kind> = Extract<LogEntry, { readonly kind: Name }>;
/** A request or an action. */
type Cause = Of<'request' | 'action'>;
/** An event or a delivery. */
type Effect = Of<'event' | 'delivery'>;

const whatWidth = 14;
const moneyWidth = 9;
const minOrderWidth = 9;
/** Longer orders push the rest of their own lines: those of the others still fit 80 columns. */
const maxOrderWidth = 22;
const maxOrderLength = 40;
const maxResponseLength = 60;
/** The width of the time before an effect: it is below the order of its cause. */
const indent = 'HH:MM   '.length;

const markStyles: Readonly<Record<Result['mark'], Style>> = { '✓': 'green', '✗': 'red', '↻': 'cyan' };

/** Formats an amount; empty without one. */
export function amountText(money: Money | null): string {
  return money === null ? '' : moneyText(money.amount, money.currency);
}

function shortened(order: string | null): string {
  const text = visible(order ?? '-');
  return text.length <= maxOrderLength ? text : `${text.slice(0, maxOrderLength - 1)}…`;
}

/** Returns the start of the response, where a receiver says what it did, such as `duplicate`. */
function responseStart({ responseText }: Of<'delivery'>): string {
  const [line = ''] = responseText.trim().split('\n', 1);
  return line === '' ? '' : ` ${visible(line.slice(0, maxResponseLength))}`;
}

function resultText({ mark, text }: Result, { paint }: Console): string {
  return paint(markStyles[mark], `${mark} ${visible(text)}`);
}

function deliveryText(delivery: Of<'delivery'>, console: Console): string {
  const { event, url, responseStatus, error, attempt } = delivery;
  const isTaken = responseStatus !== null && responseStatus < 300;
  const text = String(responseStatus ?? error ?? 'not sent');
  const again = attempt > 1 ? console.paint('dim', ` attempt ${attempt}`) : '';
  const result = resultText({ mark: isTaken ? '✓' : '✗', text }, console);
  const to = visible(url.replace(/^http:\/\//, ''));
  return `→ ${visible(event.type)} ${result}${again} ${to}${console.paint('dim', responseStart(delivery))}`;
}

function effectText(effect: Effect, console: Console): string {
  if (effect.kind === 'delivery') return deliveryText(effect, console);
  const { type, id } = effect.event;
  return `${console.paint('magenta', visible(type))} ${console.paint('dim', visible(id))}`;
}

function causeText({ what, money, result }: Cause, console: Console): string {
  const words = visible(what).padEnd(whatWidth);
  const amount = ` ${amountText(money).padStart(moneyWidth)}`;
  const columns = console.paint('bold', words) + (words.length > whatWidth ? amount.trimEnd() : amount);
  return result === null ? columns.trimEnd() : `${columns}  ${resultText(result, console)}`;
}

const isEffect = (entry: LogEntry): entry is Effect => entry.kind === 'event' || entry.kind === 'delivery';

/** Formats the log: a line for each entry, with effects below their cause, and a line for each new day. */
export class LogText {
  readonly #console: Console;
  readonly #hasOrders: boolean;
  #orderWidth = minOrderWidth;
  #day = '';
  /** The cause of the effects that come next, and its time. */
  #cause: { readonly number: number; readonly at: number } | undefined;

  /** @param hasOrders Whether each line names its order. */
  constructor(console: Console, { hasOrders }: { readonly hasOrders: boolean }) {
    this.#console = console;
    this.#hasOrders = hasOrders;
  }

  /** Makes space for the orders of entries that come later. */
  widen(entries: readonly LogEntry[]): void {
    const lengths = entries.map(({ order }) => shortened(order).length);
    this.#orderWidth = Math.min(maxOrderWidth, Math.max(this.#orderWidth, ...lengths));
  }

  /** Returns the lines of an entry. */
  textOf(entry: LogEntry): string {
    if (isEffect(entry) && entry.cause !== null && entry.cause === this.#cause?.number)
      return this.#indented(entry, entry.at - this.#cause.at);
    this.#cause = { number: isEffect(entry) ? (entry.cause ?? entry.number) : entry.number, at: entry.at };
    return this.#newDay(entry) + this.#line(entry);
  }

  /** @param later How long after its cause, in ms. */
  #indented(entry: Effect, later: number): string {
    const { paint } = this.#console;
    const age = ageText(later);
    return `${paint('dim', (age === '' ? '' : `+${age}`).padEnd(indent))}${effectText(entry, this.#console)}`;
  }

  #newDay({ at }: LogEntry): string {
    const day = dayText(at);
    if (day === this.#day) return '';
    this.#day = day;
    return `${this.#console.paint('dim', `${day}, UTC`)}\n`;
  }

  #line(entry: LogEntry): string {
    const text = isEffect(entry) ? effectText(entry, this.#console) : causeText(entry, this.#console);
    return `${this.#console.paint('dim', clockTime(entry.at))} ${this.#orderColumn(entry)}${text}`;
  }

  #orderColumn(entry: LogEntry): string {
    const { order, kind } = entry;
    this.widen([entry]);
    // An action on the sandbox needs the space.
    if (!this.#hasOrders || (order === null && kind === 'action')) return '';
    return `${this.#console.paint('cyan', shortened(order).padEnd(this.#orderWidth))}  `;
  }
}
