import type { Entry, RecordedDelivery, RecordedRequest } from '../../../stories/entry.ts';
import { amountOf, stateOf } from '../entries/entry-text.ts';
import { Marks } from '../entries/marks.tsx';
import { Breakable } from '../kit/breakable.tsx';
import { words } from '../kit/format.ts';
import { withQuery } from '../kit/route.ts';
import { Badge, State, Status } from '../kit/values.tsx';
import type { Original } from './lanes.ts';

function RequestSummary({
  request,
  original,
}: {
  readonly request: RecordedRequest;
  readonly original: Original | undefined;
}) {
  const { method, path, reply, arrived } = request;
  return (
    <>
      <code class="path">
        {method} <Breakable text={path} />
      </code>
      <p class="line">
        {arrived && <Status status={reply?.status ?? null} />}
        <Marks request={request} />
        {original !== undefined && (
          <a href={withQuery({ step: String(original.number) })}>reply of step {original.place}</a>
        )}
      </p>
    </>
  );
}

function DeliverySummary({
  delivery: { attempt, status, responseStatus, error },
}: {
  readonly delivery: RecordedDelivery;
}) {
  return (
    <>
      <p class="line">
        <Status status={responseStatus} />
        {attempt > 1 && <Badge>attempt {attempt}</Badge>}
        {status !== 'delivered' && <State state={status} />}
      </p>
      {error !== null && <p class="reason">{error}</p>}
    </>
  );
}

/** Shows the result of a step, in a line or two. */
export function StepSummary({
  entry,
  original,
}: {
  readonly entry: Entry;
  readonly original: Original | undefined;
}) {
  if (entry.kind === 'request') return <RequestSummary request={entry} original={original} />;
  if (entry.kind === 'delivery') return <DeliverySummary delivery={entry} />;
  if (entry.kind === 'action') return null;
  const { object, before, after } = entry;
  const [from, to] = [stateOf(before), stateOf(after)];
  return (
    <p class="line">
      {to !== undefined && <State state={to} />}
      {from !== undefined && from !== to && <span class="soft">was {words(from)}</span>}
      <span class="money">{amountOf(after ?? before)}</span>
      <code class="soft">{object.id}</code>
    </p>
  );
}
