import type { RecordedAction } from '../../../stories/entry.ts';
import { Json } from '../kit/json.tsx';
import { ForkButton } from './fork-button.tsx';

/** Shows the arguments of an action. */
export function ActionDetail({ action: { details, number } }: { readonly action: RecordedAction }) {
  return (
    <div class="detail">
      <Json value={details} name="details" />
      <div class="actions">
        <ForkButton number={number} />
      </div>
    </div>
  );
}
