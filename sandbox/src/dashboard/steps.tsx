import { useEffect } from 'preact/hooks';
import type { Entry, RecordedChange, RecordedDelivery, RecordedRequest } from '../stories/entry.ts';
import type { LogEntry } from '../stories/log-entry.ts';
import type { StoryAction } from '../stories/story.ts';
import { EntryDetail } from './entry-detail.tsx';
import { entryText, stateOf } from './entry-text.ts';
import { Breakable } from './kit/code.tsx';
import { Button } from './kit/controls.tsx';
import { replaceQuery, useRoute, withQuery } from './kit/route.ts';
import { Badge, durationText, Status, Time, type Tone, toneOfState } from './kit/values.tsx';
import { lanes, type StoryRow, storyRows } from './story-rows.ts';

/** Returns the number of the first request with the same key, whose response was replayed. */
function originalOf({ causes: [cause] }: StoryRow, entries: readonly Entry[]): number | undefined {
  if (cause?.kind !== 'request' || !cause.replayed || cause.idempotencyKey === null) return undefined;
  return entries.find(
    (one) => one.kind === 'request' && one.idempotencyKey === cause.idempotencyKey && !one.replayed,
  )?.number;
}

const tones = { '✓': 'good', '✗': 'bad', '↻': 'info' } as const;

/** Shows what came of a cause: `✓ charged`, `✗ reply lost (charged)`. */
function Outcome({ row: { result } }: { readonly row: StoryRow }) {
  if (result === undefined) return null;
  return (
    <Badge tone={tones[result.mark]}>
      {result.mark} {result.text}
    </Badge>
  );
}

/** The meaning of a change: that of its new state; plain if the state is the same. */
function toneOfChange({ before, after }: RecordedChange): Tone {
  const state = stateOf(after);
  return state === undefined || state === stateOf(before) ? 'plain' : toneOfState(state);
}

/** Names the objects that a cause changed, each with its new state. */
function Changes({ row: { changes } }: { readonly row: StoryRow }) {
  return (
    <ul class="effects">
      {changes.map((change) => (
        <li key={change.number}>
          <span class={`dot ${toneOfChange(change)}`} />
          {entryText(change)}
        </li>
      ))}
    </ul>
  );
}

/** Shows the last attempt of each delivery. */
function Deliveries({ deliveries }: { readonly deliveries: readonly RecordedDelivery[] }) {
  const last = new Map(deliveries.map((delivery) => [delivery.deliveryId, delivery]));
  return (
    <ul class="effects">
      {[...last.values()].map(({ deliveryId, event, attempt, responseStatus, status }) => (
        <li key={deliveryId}>
          <Breakable text={event.type} /> <Status status={responseStatus} />
          {attempt > 1 && <Badge>{attempt} attempts</Badge>}
          {status === 'failed' && <Badge tone="bad">given up</Badge>}
        </li>
      ))}
    </ul>
  );
}

/** All entries of a row in full: its causes, then what they brought about. */
function Opened({ row: { causes, changes, deliveries } }: { readonly row: StoryRow }) {
  const [only, ...others] = causes;
  const isOne = only !== undefined && others.length === 0;
  const rest = [...(isOne ? [] : causes), ...changes, ...deliveries];
  return (
    <>
      {isOne && <EntryDetail entry={only} />}
      {rest.map((entry) => (
        <details key={entry.number} class="entry">
          <summary>
            <Time at={entry.at} /> {entryText(entry)}
          </summary>
          <EntryDetail entry={entry} />
        </details>
      ))}
    </>
  );
}

interface RowProps {
  readonly row: StoryRow;
  /** The time of the row before, in ms since 1970; its own for the first. */
  readonly before: number;
  /** The number of the request whose response was replayed. */
  readonly original: number | undefined;
  /** What can be done about a reply that was lost. */
  readonly repeat: StoryAction | undefined;
  readonly choose: (action: StoryAction) => void;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** Returns the id of the element that opens a row. */
const rowId = (number: number | string) => `step-${number}`;

/** Shows a cause in its lane, and its effects beside it. It expands to all details. */
function Row({ row, before, original, repeat, choose, isOpen, toggle }: RowProps) {
  const { number, at, lane, what, amount, changes, deliveries } = row;
  const detail = `${rowId(number)}-detail`;
  return (
    <li class="step" data-lane={lane}>
      <div class="when">
        {at - before >= 1_000 && <span class="gap">{durationText(at - before)} later</span>}
        <Time at={at} />
      </div>
      <div class={`what${isOpen ? ' is-open' : ''}`}>
        <p class="lane">{lane}</p>
        <button
          type="button"
          id={rowId(number)}
          class="toggle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detail : undefined}
          onClick={toggle}
        >
          <Breakable text={what} /> {amount !== '' && <span class="money">{amount}</span>}
        </button>
        <p class="line">
          <Outcome row={row} />
          {original !== undefined && <a href={withQuery({ step: String(original) })}>the first reply</a>}
        </p>
        {repeat !== undefined && (
          <Button act={() => choose(repeat)} variant="quiet">
            {repeat.label}
          </Button>
        )}
      </div>
      <div class="did">{changes.length > 0 && <Changes row={row} />}</div>
      <div class="sent">{deliveries.length > 0 && <Deliveries deliveries={deliveries} />}</div>
      {isOpen && (
        <div class="opened" id={detail}>
          <Opened row={row} />
        </div>
      )}
    </li>
  );
}

/** Focuses the row that a link names, which scrolls it into view. */
function useNamedRow(numbers: readonly string[]): void {
  const [only, ...others] = numbers;
  const named = others.length === 0 ? only : undefined;
  useEffect(() => {
    if (named !== undefined) document.getElementById(rowId(named))?.focus();
  }, [named]);
}

interface StepsProps {
  readonly entries: readonly Entry[];
  readonly log: readonly LogEntry[];
  readonly actions: readonly StoryAction[];
  /** Asks whether to perform an action. */
  readonly choose: (action: StoryAction) => void;
}

/** Whether an action repeats the request of a row. */
function repeats({ args }: StoryAction, { causes }: StoryRow): boolean {
  return causes.some((cause): cause is RecordedRequest => cause.number === args['number']);
}

/** Shows what happened to an operation as causes with their effects. The URL holds which ones are open. */
export function Steps({ entries, log, actions, choose }: StepsProps) {
  const { query } = useRoute();
  const open = query.get('step')?.split(',').filter(Boolean) ?? [];
  useNamedRow(open);
  const toggle = (number: string): void => {
    const others = open.filter((one) => one !== number);
    const next = others.length === open.length ? [...open, number] : others;
    replaceQuery({ step: next.join(',') });
  };
  const rows = storyRows(entries, log);
  return (
    <div class="lanes" data-buyer={rows.some(({ lane }) => lane === 'buyer')}>
      <div class="lane-heads" aria-hidden="true">
        <span>time (UTC)</span>
        {lanes.map((lane) => (
          <span key={lane}>{lane}</span>
        ))}
      </div>
      <ol aria-label="Steps, oldest first">
        {rows.map((row, index) => (
          <Row
            key={row.number}
            row={row}
            before={rows[index - 1]?.at ?? row.at}
            original={originalOf(row, entries)}
            repeat={actions.find((action) => repeats(action, row))}
            choose={choose}
            isOpen={open.includes(String(row.number))}
            toggle={() => toggle(String(row.number))}
          />
        ))}
      </ol>
    </div>
  );
}
