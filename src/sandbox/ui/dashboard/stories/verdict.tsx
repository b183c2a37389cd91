import type { Verdict as Name } from '../../../stories/story.ts';
import type { Mood } from '../kit/mood.ts';
import { Badge } from '../kit/values.tsx';

/** The label and the meaning of each verdict, worst first. */
const verdicts: Readonly<Record<Name, { readonly text: string; readonly mood: Mood }>> = {
  charged_twice: { text: 'Charged twice?', mood: 'bad' },
  unknown_to_app: { text: 'Unknown to your app', mood: 'warn' },
  open: { text: 'Not charged yet', mood: 'info' },
  charged_once: { text: 'Charged once', mood: 'good' },
  nothing_happened: { text: 'Nothing happened', mood: 'plain' },
};

/** The options of the verdict filter. */
export const verdictOptions = Object.entries(verdicts).map(([name, { text }]) => [name, text] as const);

/** Shows whether an operation was charged once. */
export function Verdict({ verdict }: { readonly verdict: Name }) {
  const { text, mood } = verdicts[verdict];
  return <Badge mood={mood}>{text}</Badge>;
}
