import type { ComponentChildren } from 'preact';
import { Copy } from './copy.tsx';
import { dateText, heading, moneyText, words } from './format.ts';
import { addressOf } from './id-address.ts';
import { type Tone, toneOfState, toneOfStatus } from './tone.ts';

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
