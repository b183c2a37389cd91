import type { StorySummary } from '../../../stories/story.ts';
import { Filters, Pager, SelectFilter, TextFilter } from '../kit/filters.tsx';
import { countText } from '../kit/format.ts';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { hrefOf, listQuery } from '../kit/route.ts';
import type { SectionProps } from '../kit/section-props.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Money, Time } from '../kit/values.tsx';
import { Verdict, verdictOptions } from '../stories/verdict.tsx';
import { FirstRun } from './first-run.tsx';
import { WebhooksCount } from './webhooks-count.tsx';

interface Stories {
  readonly data: readonly StorySummary[];
  readonly has_more: boolean;
}

const filters = ['verdict', 'q', 'before'];

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
      <span>{countText(attempts, 'attempt')}</span>
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

function List({ data, has_more: hasMore, isFiltered }: Stories & { readonly isFiltered: boolean }) {
  if (data.length === 0 && !isFiltered) return <FirstRun />;
  if (data.length === 0) return <Empty title="No operation fits the filter." />;
  return (
    <>
      <Table
        name="Operations, newest first"
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        hrefOf={hrefOfStory}
      />
      <Pager older={hasMore ? data.at(-1)?.id : undefined} />
    </>
  );
}

/** All business operations, newest first, each with the answer to the question whether it was charged once. */
export function Home({ query }: SectionProps) {
  const { text, isFiltered } = listQuery(query, filters, { limit: '50' });
  const load = useLoad<Stories>(`stories?${text}`);
  return (
    <Page title="Operations">
      <Filters>
        <TextFilter name="q" label="Search" placeholder="order, e-mail, id, amount" />
        <SelectFilter name="verdict" label="Verdict" options={verdictOptions} />
      </Filters>
      <Loaded load={load}>{(stories) => <List {...stories} isFiltered={isFiltered} />}</Loaded>
    </Page>
  );
}
