import { useState } from 'preact/hooks';
import { post } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { notify } from '../kit/notices.ts';
import { Tool } from './tool.tsx';

/** Resets the sandbox. */
export function Reset() {
  const [isConfirming, setConfirming] = useState(false);
  const reset = async (): Promise<void> => {
    await post('reset');
    notify('The sandbox was reset.');
  };
  return (
    <Tool title="Reset">
      <div class="actions">
        <Button act={() => setConfirming(true)} variant="danger">
          Reset the sandbox
        </Button>
      </div>
      {isConfirming && (
        <Confirm
          title="Reset the sandbox"
          expected="All objects, events, deliveries and faults are deleted, and the clock is reset."
          button="Reset"
          variant="danger"
          act={reset}
          close={() => setConfirming(false)}
        />
      )}
    </Tool>
  );
}
