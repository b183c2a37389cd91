import { type Verdict as Name, type Need, type StorySummary, verdictWords } from '../stories/story.ts';
import { hrefOf } from './kit/route.ts';
import { sandboxState, useStore } from './kit/shared-value.ts';
import { ageText, Badge, dateText, Money, type Tone } from './kit/values.tsx';

/** The meaning of each verdict. */
const verdictTones: Readonly<Record<Name, Tone>> = {
  charged_twice: 'bad',
  unknown_to_app: 'warn',
  open: 'info',
  charged_once: 'good',
  nothing_happened: 'plain',
};

/** The options of the verdict filter. */
export const verdictOptions = Object.entries(verdictWords);

/** The label of each reason to act, most urgent first. */
const needTexts: Readonly<Record<Need['why'], string>> = {
  dispute_due: 'Dispute to answer',
  charged_twice: 'Charged twice',
  unknown: 'Unknown to your app',
  refund_failed: 'Refund failed',
  webhooks_given_up: 'Webhooks given up',
  renewal_unpaid: 'Renewal unpaid',
  declined: 'Declined',
};

/** The options of the filter by need. */
export const needOptions = [['any', 'Any reason'], ...Object.entries(needTexts)] as const;

/** The reasons that the verdict says already. */
const saidByVerdict: readonly Need['why'][] = ['charged_twice', 'unknown'];

/** Shows whether an operation was charged once, and what else is wrong. */
export function Verdict({
  story: { verdict, needs },
}: {
  readonly story: Pick<StorySummary, 'verdict' | 'needs'>;
}) {
  return (
    <>
      <Badge tone={verdictTones[verdict]}>{verdictWords[verdict]}</Badge>
      {needs !== null && !saidByVerdict.includes(needs.why) && (
        <Badge tone="warn">{needTexts[needs.why]}</Badge>
      )}
    </>
  );
}

/** How long ago an operation last changed, by the sandbox's clock. */
function Age({ at }: { readonly at: number }) {
  const state = useStore(sandboxState);
  const text = state === undefined ? '' : ageText(state.clock.now - at);
  return (
    <time dateTime={new Date(at).toISOString()} title={dateText(at)} class="soft">
      {text}
    </time>
  );
}

/** Shows an operation in two lines: what it is and its verdict; why, and what to do next. */
function Operation({ story }: { readonly story: StorySummary }) {
  const { title, money, email, customer, endedAt, reason, needs } = story;
  return (
    <li class="operation">
      <p class="line">
        <Verdict story={story} />
        <a href={hrefOf(['stories', story.id])}>{title}</a>
        {money !== null && <Money {...money} />}
        <span class="soft buyer">{email ?? customer}</span>
        <Age at={endedAt} />
      </p>
      <p class="reason">{reason}</p>
      {needs !== null && <p class="need">{needs.action}</p>}
    </li>
  );
}

interface OperationsProps {
  readonly name: string;
  readonly stories: readonly StorySummary[];
}

/** Lists operations, each with its verdict. */
export function Operations({ name, stories }: OperationsProps) {
  return (
    <ol class="operations" aria-label={name}>
      {stories.map((story) => (
        <Operation key={story.id} story={story} />
      ))}
    </ol>
  );
}
