import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ClockMove } from '../commands/clock-command.ts';
import type { SandboxStatus } from '../control/state-routes.ts';
import { perform } from './kit/api.ts';
import { Button, Field, Form } from './kit/controls.tsx';
import { notify } from './kit/shared-value.ts';
import { Badge, countText, dateText, durationText, type Tone } from './kit/values.tsx';

/** Advances the clock and shows what happened in the meantime. */
async function advance(by: string | number): Promise<void> {
  const { result } = await perform<ClockMove>('clock.advance', { advance: by });
  const { events, delivered, failed, text } = result.summary;
  const isQuiet = events.length + delivered + failed === 0;
  notify(text, isQuiet ? [] : [{ href: '#/activity', text: 'Activity' }]);
}

function Item({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <li class={tone}>{children}</li>;
}

function Faults({ count }: { readonly count: number }) {
  return (
    <Item tone={count > 0 ? 'bad' : 'plain'}>
      <a href="#/faults">{count > 0 ? `${countText(count, 'fault')} armed` : 'No faults armed'}</a>
      {count > 0 && (
        <Button act={() => perform('faults.clear')} variant="quiet" label="Clear all faults">
          Clear
        </Button>
      )}
    </Item>
  );
}

function Deliveries({ failing, pending }: { readonly failing: number; readonly pending: number }) {
  const waiting = pending > 0 ? countText(pending, 'pending delivery') : 'No failed deliveries';
  return failing > 0 ? (
    <Item tone="bad">
      <a href="#/activity?status=failing">{countText(failing, 'failed delivery')}</a>
    </Item>
  ) : (
    <Item tone="plain">
      <a href="#/activity?kind=event">{waiting}</a>
    </Item>
  );
}

function Next({ due, now }: { readonly due: SandboxStatus['due']; readonly now: number }) {
  const [next] = due;
  if (next === undefined) return <Item tone="plain">Nothing is scheduled</Item>;
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
    <li class={balanced ? 'good wide' : 'bad'}>
      {balanced ? 'Ledger balanced' : `Ledger not balanced: ${problem ?? ''}`}
    </li>
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

const steps: readonly (readonly [label: string, duration: string])[] = [
  ['+1 min', '1 minute'],
  ['+1 hour', '1 hour'],
  ['+1 day', '1 day'],
  ['+30 days', '30 days'],
];

/** Shows the sandbox's time, with controls that advance it. */
export function Clock({ clock }: { readonly clock: SandboxStatus['clock'] }) {
  const [duration, setDuration] = useState('');
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="clock" data-open={isOpen}>
      <p class="now">
        {/* Screen readers do not announce each change of a timer. */}
        <span role="timer" aria-label="Sandbox time">
          {dateText(clock.now)}
        </span>
        <Badge>{clock.running ? 'running' : 'paused'}</Badge>
      </p>
      <button
        type="button"
        class="button quiet phone-only"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Advance clock
      </button>
      <div class="moves" role="group" aria-label="Advance the clock">
        {steps.map(([label, step]) => (
          <Button key={step} act={() => advance(step)}>
            {label}
          </Button>
        ))}
        <Form name="Custom duration" button="Go" act={() => advance(duration)}>
          <Field label="Advance by" value={duration} onInput={setDuration} placeholder="3 days" />
        </Form>
      </div>
    </div>
  );
}
