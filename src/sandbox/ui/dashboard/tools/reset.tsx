import { useState } from 'preact/hooks';
import { post } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { notify } from '../kit/notices.ts';
import { Tool } from './tool.tsx';

/** Resets the sandbox. */
export function Reset() {
  const [isAsked, ask] = useState(false);
  const reset = async (): Promise<void> => {
    await post('reset');
    notify('The sandbox is as it was made.');
  };
  return (
    <Tool title="Reset">
      <div class="actions">
        <Button act={() => ask(true)} look="danger">
          Reset the sandbox
        </Button>
      </div>
      {isAsked && (
        <Confirm
          title="Reset the sandbox"
          expected="It forgets all objects, events, deliveries and faults, and its clock goes back. Snapshots stay."
          button="Reset"
          look="danger"
          act={reset}
          close={() => ask(false)}
        />
      )}
    </Tool>
  );
}
