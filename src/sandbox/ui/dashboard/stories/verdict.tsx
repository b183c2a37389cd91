import type { Verdict as Name } from '../../../stories/story.ts';
import type { Mood } from '../kit/mood.ts';
import { Badge } from '../kit/values.tsx';

/** Each verdict as people read it, and how it is meant. The worst come first. */
const verdicts: Readonly<Record<Name, { readonly text: string; readonly mood: Mood }>> = {
  charged_twice: { text: 'Charged twice?', mood: 'bad' },
  unknown_to_app: { text: 'Unknown to your app', mood: 'warn' },
  open: { text: 'Not charged yet', mood: 'info' },
  charged_once: { text: 'Charged once', mood: 'good' },
  nothing_happened: { text: 'Nothing happened', mood: 'plain' },
};

/** The choices of a filter by verdict. */
export const verdictOptions = Object.entries(verdicts).map(([name, { text }]) => [name, text] as const);

/** Whether an operation was charged once. */
export function Verdict({ verdict }: { readonly verdict: Name }) {
  const { text, mood } = verdicts[verdict];
  return <Badge mood={mood}>{text}</Badge>;
}
