import type { Entry } from '../../../stories/entry.ts';
import { EntryDetail } from '../entries/entry-detail.tsx';
import { entryText } from '../entries/entry-text.ts';
import { Breakable } from '../kit/breakable.tsx';
import { durationText } from '../kit/format.ts';
import { Time } from '../kit/values.tsx';
import { laneOf, type Original } from './lanes.ts';
import { StepSummary } from './step-summary.tsx';
import { Wire } from './wire.tsx';

interface StepProps {
  readonly entry: Entry;
  /** Its position among the steps, from 1. */
  readonly place: number;
  /** The time of the previous step; its own time for the first. */
  readonly before: number;
  /** The request whose response was replayed. */
  readonly original: Original | undefined;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** Returns the id of the element that opens a step. */
export function stepId(number: number | string): string {
  return `step-${number}`;
}

/** Shows one step of an operation in its lane. It expands to all details. */
export function Step({ entry, place, before, original, isOpen, toggle }: StepProps) {
  const lane = laneOf(entry);
  const gap = entry.at - before;
  const detail = `${stepId(entry.number)}-detail`;
  return (
    <li class="step" data-lane={lane ?? 'you'}>
      <div class="when">
        <Time at={entry.at} />
        {gap > 0 && <span class="gap">+{durationText(gap)}</span>}
      </div>
      <div class={`what${isOpen ? ' is-open' : ''}`}>
        <p class="lane">{lane ?? 'you'}</p>
        <button
          type="button"
          id={stepId(entry.number)}
          class="toggle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detail : undefined}
          onClick={toggle}
        >
          <span class="number">{place}</span>
          <span>
            <Breakable text={entryText(entry)} />
          </span>
        </button>
        <StepSummary entry={entry} original={original} />
      </div>
      {lane !== undefined && <Wire entry={entry} />}
      {isOpen && (
        <div class="opened" id={detail}>
          <EntryDetail entry={entry} />
        </div>
      )}
    </li>
  );
}
