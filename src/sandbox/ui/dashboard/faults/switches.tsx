import { useState } from 'preact/hooks';
import type { WaitingFault } from '../../../control/pending-faults.ts';
import { post, remove } from '../kit/api.ts';
import { useAction } from '../kit/button.tsx';
import { Select } from '../kit/forms.tsx';
import { always, operations } from './aim.ts';
import { isLike, type Preset, presets } from './presets.ts';

/** Withdraws faults. */
export async function withdraw(faults: readonly { readonly id: string }[]): Promise<void> {
  await Promise.all(faults.map(({ id }) => remove(`faults/${id}`)));
}

interface SwitchProps {
  readonly preset: Preset;
  /** The faults of this kind that wait. */
  readonly waiting: readonly WaitingFault[];
  readonly arm: () => Promise<unknown>;
}

function Switch({ preset, waiting, arm }: SwitchProps) {
  const isOn = waiting.length > 0;
  const [isRunning, run] = useAction(() => (isOn ? withdraw(waiting) : arm()));
  return (
    <button
      type="button"
      class="button switch"
      role="switch"
      aria-checked={isOn}
      aria-disabled={isRunning}
      onClick={() => void run()}
    >
      {preset.label}
    </button>
  );
}

const counts = [
  [String(always), 'until withdrawn'],
  ['1', 'the next request'],
  ['5', 'the next 5 requests'],
] as const;

/** A switch for each preset, aimed at what is chosen above them. */
export function Switches({ waiting }: { readonly waiting: readonly WaitingFault[] }) {
  const [operation, setOperation] = useState('');
  const [times, setTimes] = useState<string>(counts[0][0]);
  const aim = { times: Number(times), ...(operation !== '' && { operation }) };
  return (
    <>
      <div class="form">
        <Select label="Hits" value={operation} onChange={setOperation} options={operations} />
        <Select label="For" value={times} onChange={setTimes} options={counts} />
      </div>
      <div class="switches">
        {presets.map((preset) => (
          <Switch
            key={preset.label}
            preset={preset}
            waiting={waiting.filter(({ fault }) => isLike(preset, fault))}
            arm={() => post('faults', { ...preset.fault, ...aim })}
          />
        ))}
      </div>
    </>
  );
}
