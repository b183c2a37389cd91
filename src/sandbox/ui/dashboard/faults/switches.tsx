import { useState } from 'preact/hooks';
import type { WaitingFault } from '../../../control/pending-faults.ts';
import { post, remove } from '../kit/api.ts';
import { Button, useAction } from '../kit/button.tsx';
import { anyRequest, fieldsOfTarget, TargetFields } from './fault-target-fields.tsx';
import { isLike, type Preset, presets } from './presets.ts';

/** Clears faults. */
export async function withdraw(faults: readonly { readonly id: string }[]): Promise<void> {
  await Promise.all(faults.map(({ id }) => remove(`faults/${id}`)));
}

interface SwitchProps {
  readonly preset: Preset;
  /** The armed faults of this kind. */
  readonly waiting: readonly WaitingFault[];
  readonly arm: () => Promise<unknown>;
}

function Switch({ preset: { label }, waiting, arm }: SwitchProps) {
  const isOn = waiting.length > 0;
  const [isRunning, run] = useAction(() => (isOn ? withdraw(waiting) : arm()));
  return (
    <div class="preset">
      <button
        type="button"
        class="button switch"
        role="switch"
        aria-checked={isOn}
        aria-disabled={isRunning}
        onClick={() => void run()}
      >
        {label}
      </button>
      {isOn && (
        <Button act={arm} label={`One more: ${label}`}>
          One more
        </Button>
      )}
    </div>
  );
}

/** Shows a switch for each preset. A new fault gets the conditions that are typed above. */
export function Switches({ waiting }: { readonly waiting: readonly WaitingFault[] }) {
  const [target, setTarget] = useState(anyRequest);
  return (
    <>
      <TargetFields target={target} change={setTarget} />
      <div class="switches">
        {presets.map((preset) => (
          <Switch
            key={preset.label}
            preset={preset}
            waiting={waiting.filter(({ fault }) => isLike(preset, fault))}
            arm={() => post('faults', { ...preset.fault, ...fieldsOfTarget(target) })}
          />
        ))}
      </div>
    </>
  );
}
