import type { Verdict as Name } from '../../../stories/story.ts';
import type { Tone } from '../kit/tone.ts';
import { Badge } from '../kit/values.tsx';

/** The label and the meaning of each verdict, worst first. */
const verdicts: Readonly<Record<Name, { readonly text: string; readonly tone: Tone }>> = {
  charged_twice: { text: 'Charged twice?', tone: 'bad' },
  unknown_to_app: { text: 'Unknown to your app', tone: 'warn' },
  open: { text: 'Not charged yet', tone: 'info' },
  charged_once: { text: 'Charged once', tone: 'good' },
  nothing_happened: { text: 'Nothing happened', tone: 'plain' },
};

/** The options of the verdict filter. */
export const verdictOptions = Object.entries(verdicts).map(([name, { text }]) => [name, text] as const);

/** Shows whether an operation was charged once. */
export function Verdict({ verdict }: { readonly verdict: Name }) {
  const { text, tone } = verdicts[verdict];
  return <Badge tone={tone}>{text}</Badge>;
}
