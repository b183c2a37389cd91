import type { StorySummary } from '../../../stories/story.ts';
import { SelectFilter, TextFilter } from '../kit/filters.tsx';
import { countText } from '../kit/format.ts';
import { ListPage } from '../kit/list-page.tsx';
import { hrefOf } from '../kit/route.ts';
import type { Column } from '../kit/table.tsx';
import { Money, Time } from '../kit/values.tsx';
import { Verdict, verdictOptions } from '../stories/verdict.tsx';
import { FirstRun } from './first-run.tsx';
import { WebhooksCount } from './webhooks-count.tsx';

interface Stories {
  readonly data: readonly StorySummary[];
  readonly has_more: boolean;
}

function hrefOfStory({ id }: StorySummary): string {
  return hrefOf(['stories', id]);
}

function Operation({ story }: { readonly story: StorySummary }) {
  return (
    <div class="operation">
      <a href={hrefOfStory(story)}>{story.title}</a>
      {story.email !== null && <span class="soft"> {story.email}</span>}
      <p class="reason">{story.reason}</p>
    </div>
  );
}

function WhatHappened({ story: { attempts, notes } }: { readonly story: StorySummary }) {
  return (
    <>
      {attempts > 1 && <span>{countText(attempts, 'attempt')}</span>}
      {notes.length > 0 && <span class="notes">{notes.join(' → ')}</span>}
    </>
  );
}

const columns: readonly Column<StorySummary>[] = [
  { name: 'Operation', main: true, cell: (story) => <Operation story={story} /> },
  { name: 'Verdict', cell: ({ verdict }) => <Verdict verdict={verdict} /> },
  { name: 'Amount', end: true, cell: ({ money }) => money !== null && <Money {...money} /> },
  { name: 'Charges', end: true, cell: ({ charges }) => countText(charges, 'charge') },
  { name: 'What happened', cell: (story) => <WhatHappened story={story} /> },
  { name: 'Webhooks', cell: ({ webhooks }) => <WebhooksCount webhooks={webhooks} /> },
  { name: 'Last change', wide: true, cell: ({ endedAt }) => <Time at={endedAt} /> },
];

/** Lists all business operations, newest first, each with its verdict: was it charged once? */
export function Home() {
  return (
    <ListPage<Stories, StorySummary>
      title="Operations"
      noun="operation"
      path="stories"
      filters={['verdict', 'q']}
      columns={columns}
      rowsOf={({ data }) => data}
      idOf={({ id }) => id}
      hrefOf={hrefOfStory}
      nothing={<FirstRun />}
    >
      <TextFilter name="q" label="Search" placeholder="order, e-mail, id, amount" />
      <SelectFilter name="verdict" label="Verdict" options={verdictOptions} />
    </ListPage>
  );
}
