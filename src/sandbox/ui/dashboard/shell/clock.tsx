import { useState } from 'preact/hooks';
import type { SandboxStatus } from '../../../control/state-routes.ts';
import { Button } from '../kit/button.tsx';
import { dateText } from '../kit/format.ts';
import { Field, Form } from '../kit/forms.tsx';
import { Badge } from '../kit/values.tsx';
import { advance } from './advance.ts';

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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a layout of its own */}
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
