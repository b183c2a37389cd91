import { useEffect } from 'preact/hooks';
import type { Entry } from '../../../stories/entry.ts';
import { replaceQuery, useRoute } from '../kit/route.ts';
import { lanes, originalOf } from './lanes.ts';
import { Step, stepId } from './step.tsx';

/** Focuses the step that a link names, which scrolls it into view. */
function useNamedStep(numbers: readonly string[]): void {
  const [only, ...others] = numbers;
  const named = others.length === 0 ? only : undefined;
  useEffect(() => {
    if (named !== undefined) document.getElementById(stepId(named))?.focus();
  }, [named]);
}

/** Shows the steps of an operation in order of time, each in its lane. The URL holds which ones are open. */
export function Steps({ entries }: { readonly entries: readonly Entry[] }) {
  const { query } = useRoute();
  const open = query.get('step')?.split(',').filter(Boolean) ?? [];
  useNamedStep(open);
  const toggle = (number: string): void => {
    const others = open.filter((one) => one !== number);
    const next = others.length === open.length ? [...open, number] : others;
    replaceQuery({ step: next.join(',') });
  };
  return (
    <div class="lanes">
      <div class="lane-heads" aria-hidden="true">
        <span>time</span>
        {lanes.map((lane) => (
          <span key={lane}>{lane}</span>
        ))}
      </div>
      <ol aria-label="Steps, oldest first">
        {entries.map((entry, index) => (
          <Step
            key={entry.number}
            entry={entry}
            place={index + 1}
            before={entries[index - 1]?.at ?? entry.at}
            original={originalOf(entry, entries)}
            isOpen={open.includes(String(entry.number))}
            toggle={() => toggle(String(entry.number))}
          />
        ))}
      </ol>
    </div>
  );
}
