import type { StorySummary } from '../../../stories/story.ts';
import { Badge } from '../kit/values.tsx';

/** Shows how many deliveries succeeded: `2/2 ✓`. */
export function WebhooksCount({ webhooks }: { readonly webhooks: StorySummary['webhooks'] }) {
  const { delivered, failing, total } = webhooks;
  if (total === 0) return <span class="soft">none</span>;
  if (failing > 0) {
    return (
      <Badge tone="bad">
        {delivered}/{total}, {failing} failing
      </Badge>
    );
  }
  const isDone = delivered === total;
  return (
    <span class={isDone ? 'done' : 'soft'}>
      {delivered}/{total} {isDone ? '✓' : 'pending'}
    </span>
  );
}
