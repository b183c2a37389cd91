import type { Entry } from '../../../stories/entry.ts';
import { EntryDetail } from '../entries/entry-detail.tsx';
import { entryText, stateOf } from '../entries/entry-text.ts';
import { Marks } from '../entries/marks.tsx';
import { Loaded, Page, Part } from '../kit/page.tsx';
import { hrefOf } from '../kit/route.ts';
import { type Column, Table } from '../kit/table.tsx';
import { useLoad } from '../kit/use-load.ts';
import { Id, State, Status, Time } from '../kit/values.tsx';

interface EntryAnswer {
  readonly entry: Entry;
  /** The changes and deliveries that it caused. */
  readonly effects: readonly Entry[];
  /** The id of its operation; `null` if it belongs to none. */
  readonly story: string | null;
}

const up = { href: '#/requests', text: 'All requests' };

function Subject({ entry }: { readonly entry: Entry }) {
  if (entry.kind === 'change')
    return <Id id={entry.object.id} href={hrefOf(['objects', entry.object.kind, entry.object.id])} />;
  if (entry.kind === 'delivery') return <Id id={entry.event.id} />;
  return null;
}

function Outcome({ entry }: { readonly entry: Entry }) {
  if (entry.kind === 'delivery') return <Status status={entry.responseStatus} />;
  const state = entry.kind === 'change' ? stateOf(entry.after) : undefined;
  return state === undefined ? null : <State state={state} />;
}

const columns: readonly Column<Entry>[] = [
  {
    name: 'Effect',
    main: true,
    cell: (entry) => <a href={hrefOf(['requests', String(entry.number)])}>{entryText(entry)}</a>,
  },
  { name: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
  { name: 'About', cell: (entry) => <Subject entry={entry} /> },
  { name: 'Time', cell: ({ at }) => <Time at={at} /> },
];

function Badges({ entry }: { readonly entry: Entry }) {
  if (entry.kind !== 'request') return null;
  return (
    <>
      <Status status={entry.reply?.status ?? null} />
      <Marks request={entry} />
    </>
  );
}

function EntryPage({ entry, effects, story }: EntryAnswer) {
  return (
    <Page
      title={entryText(entry)}
      badge={<Badges entry={entry} />}
      actions={story !== null && <a href={hrefOf(['stories', story])}>Operation {story}</a>}
      up={up}
    >
      <Part title="Details">
        <EntryDetail entry={entry} />
      </Part>
      <Part title="Effects">
        {effects.length === 0 ? (
          <p class="soft">None: no object changed, and no event was delivered.</p>
        ) : (
          <Table name="Effects" columns={columns} rows={effects} keyOf={({ number }) => number} />
        )}
      </Part>
    </Page>
  );
}

/** Shows a request with its response and its effects. Changes and deliveries have such a page too. */
export function RequestPage({ number }: { readonly number: string }) {
  const load = useLoad<EntryAnswer>(`entries/${encodeURIComponent(number)}`);
  if (load.data !== undefined) return <EntryPage {...load.data} />;
  return (
    <Page title={`Request ${number}`} up={up}>
      <Loaded load={load}>{() => null}</Loaded>
    </Page>
  );
}
