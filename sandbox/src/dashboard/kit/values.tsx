import type { ComponentChildren } from 'preact';
import { Copy } from './controls.tsx';

/** Returns the formatter of a currency, with its ISO 4217 minor unit; `undefined` for an invalid currency. */
function formatOf(currency: string): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency });
  } catch {
    return undefined;
  }
}

const digitsOf = (format: Intl.NumberFormat) => format.resolvedOptions().maximumFractionDigits ?? 0;

/** Formats an amount in minor units: `$55.00`. */
export function moneyText(amount: number, currency: string): string {
  const format = formatOf(currency);
  if (format === undefined) return `${amount} ${currency}`.trim();
  return format.format(amount / 10 ** digitsOf(format));
}

/** Formats a decimal string, as the form endpoint has amounts: `12.00` becomes `$12.00`. */
export function decimalText(amount: string, currency: string): string {
  return formatOf(currency)?.format(Number(amount)) ?? `${amount} ${currency}`.trim();
}

/** Formats date and time in UTC: `2026-01-01 00:01:00 UTC`. */
export function dateText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration in its two largest units: `1 d 2 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  let left = ms;
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}

/** Formats how long ago something was, in its largest unit: `2 h ago`. */
export function ageText(ms: number): string {
  const [name, size] = units.find(([, unit]) => ms >= unit) ?? ['s', 1_000];
  return ms < 1_000 ? 'now' : `${Math.floor(ms / size)} ${name} ago`;
}

/** Returns the plural of a noun or of a kind: `charges`, `deliveries`, `terminal_batches`. */
export function plural(noun: string): string {
  return `${noun.replace(/(?<![aeo])y$/, 'ie').replace(/ch$/, 'che')}s`;
}

/** Formats a count with its noun: `1 charge`, `2 charges`. */
export function countText(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : plural(noun)}`;
}

/** Replaces the underscores of a name: `checkout_session` becomes `checkout session`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns the same with a capital letter. */
export function heading(name: string): string {
  if (name === 'url') return 'URL';
  return words(name).replace(/^./, (letter) => letter.toUpperCase());
}

/** The meaning of a state, which its colour shows. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const tones: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  paid: 'good',
  complete: 'good',
  active: 'good',
  delivered: 'good',
  approved: 'good',
  settled: 'good',
  won: 'good',
  enabled: 'good',
  issued: 'good',
  open: 'info',
  created: 'info',
  draft: 'info',
  trialing: 'info',
  processing: 'info',
  requires_capture: 'info',
  requires_payment_method: 'info',
  requires_confirmation: 'info',
  requires_action: 'info',
  pending: 'warn',
  past_due: 'warn',
  unpaid: 'warn',
  incomplete: 'warn',
  disputed: 'warn',
  refunded: 'warn',
  partially_refunded: 'warn',
  failed: 'bad',
  declined: 'bad',
  dropped: 'bad',
  uncollectible: 'bad',
  lost: 'bad',
};

/** Returns the meaning of a state; `plain` if it is unknown. */
export function toneOfState(state: string): Tone {
  return Object.hasOwn(tones, state) ? (tones[state] ?? 'plain') : 'plain';
}

/** Returns the meaning of an HTTP status; a missing status is bad. */
function toneOfStatus(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status < 400 ? 'good' : 'warn';
}

/** Object kinds by id prefix. Most payment methods exist only as ids, so they have no page. */
const kinds: Readonly<Record<string, string>> = {
  cs: 'checkout_session',
  pi: 'payment_intent',
  ch: 'charge',
  rf: 'refund',
  inv: 'invoice',
  sub: 'subscription',
  cn: 'credit_note',
  cus: 'customer',
  tmb: 'terminal_batch',
  we: 'webhook_endpoint',
  price: 'price',
  prod: 'product',
  tmr: 'terminal',
  stlp: 'settlement_profile',
  key: 'api_key',
  acct: 'account',
  conn: 'connection',
  alnk: 'account_link',
};

/** Returns the page of an object or event by its id; `undefined` if it has none. */
export function addressOf(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_\w+$/.exec(id) ?? [];
  if (prefix === 'evt') return `#/activity/${id}`;
  const kind = kinds[prefix];
  return kind === undefined ? undefined : `#/objects/${kind}/${id}`;
}

interface BadgeProps {
  readonly tone?: Tone | undefined;
  readonly children: ComponentChildren;
}

/** A label with the colour of its meaning. */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Shows the state of an object or a delivery. */
export function State({ state }: { readonly state: string }) {
  return <Badge tone={toneOfState(state)}>{words(state)}</Badge>;
}

/** Shows the status of a response; `no response` if none came. */
export function Status({ status }: { readonly status: number | null }) {
  return <Badge tone={toneOfStatus(status)}>{status ?? 'no reply'}</Badge>;
}

/** Shows an amount in minor units of a currency. */
export function Money({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span class="money">{moneyText(amount, currency)}</span>;
}

/** Shows a time of the sandbox's clock, in UTC. */
export function Time({ at }: { readonly at: number }) {
  const text = dateText(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={text}>
      <span class="day">{text.slice(0, 10)}</span> {text.slice(11, 19)}
    </time>
  );
}

interface IdProps {
  readonly id: string;
  /** The link. Default: the page of the object or event with this id, if there is one; `null` for none. */
  readonly href?: string | null | undefined;
  /** Whether it has a copy button. Default: true. */
  readonly copy?: boolean | undefined;
}

/** Shows an id with a link and a copy button. */
export function Id({ id, href = addressOf(id) ?? null, copy = true }: IdProps) {
  const text = <code>{id}</code>;
  return (
    <span class="id">
      {href === null ? text : <a href={href}>{text}</a>}
      {copy && <Copy text={id} label={`Copy ${id}`} />}
    </span>
  );
}

/** Shows the kind of an object. */
export function Kind({ kind }: { readonly kind: string }) {
  return <>{heading(kind)}</>;
}

/** Shows names with their values, in one line on wide screens. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
