import type { ComponentChildren } from 'preact';
import type { SandboxStatus } from '../../../control/state-routes.ts';
import { remove } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { countText, durationText } from '../kit/format.ts';
import type { Tone } from '../kit/tone.ts';
import { advance } from './advance.ts';

function Item({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <li class={tone}>{children}</li>;
}

function Faults({ count }: { readonly count: number }) {
  return (
    <Item tone={count > 0 ? 'bad' : 'plain'}>
      <a href="#/faults">{count > 0 ? `${countText(count, 'fault')} armed` : 'No faults'}</a>
      {count > 0 && (
        <Button act={() => remove('faults')} variant="quiet" label="Clear all faults">
          Clear
        </Button>
      )}
    </Item>
  );
}

function Deliveries({ failing, pending }: { readonly failing: number; readonly pending: number }) {
  if (failing > 0) {
    return (
      <Item tone="bad">
        <a href="#/deliveries?status=failing">
          {countText(failing, 'failing delivery', 'failing deliveries')}
        </a>
      </Item>
    );
  }
  return (
    <Item tone="plain">
      <a href="#/deliveries">
        {pending > 0 ? countText(pending, 'pending delivery', 'pending deliveries') : 'No failed deliveries'}
      </a>
    </Item>
  );
}

function Next({ due, now }: { readonly due: SandboxStatus['due']; readonly now: number }) {
  const [next] = due;
  if (next === undefined) return <Item tone="plain">Nothing is due</Item>;
  const wait = next.at - now;
  return (
    <Item tone="plain">
      <span class="due" title={due.map(({ what }) => what).join('\n')}>
        Next: {next.what}
      </span>
      <span class="soft">{wait > 0 ? `in ${durationText(wait)}` : 'now'}</span>
      <Button act={() => advance(Math.max(1, wait))} variant="quiet">
        Advance to it
      </Button>
    </Item>
  );
}

function LedgerStatus({ books: { balanced, problem } }: { readonly books: SandboxStatus['books'] }) {
  return (
    <Item tone={balanced ? 'good' : 'bad'}>
      {balanced ? 'Ledger balanced' : `Ledger not balanced: ${problem ?? ''}`}
    </Item>
  );
}

/** Shows the sandbox's status on every page: faults, deliveries, next due, ledger. */
export function Strip({ state }: { readonly state: SandboxStatus }) {
  return (
    <ul class="strip" aria-label="State of the sandbox">
      <Faults count={state.armed_faults} />
      <Deliveries failing={state.failing_deliveries} pending={state.pending_deliveries} />
      <Next due={state.due} now={state.clock.now} />
      <LedgerStatus books={state.books} />
    </ul>
  );
}
