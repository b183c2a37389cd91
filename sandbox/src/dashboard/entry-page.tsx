import type { ShownEntry } from '../control/entry-routes.ts';
import { columns, type EntryRow, hrefOfRow, Result, rowsOf } from './entry-columns.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { entryText } from './entry-text.ts';
import { Table } from './kit/list.tsx';
import { Loaded, Page, Part } from './kit/page.tsx';
import { hrefOf } from './kit/route.ts';
import { useLoad } from './kit/use-load.ts';

const up = { href: '#/activity', text: 'All activity' };

function Detail({
  entry,
  rows,
}: {
  readonly entry: ShownEntry['entry'];
  readonly rows: readonly EntryRow[];
}) {
  return (
    <>
      <Part title="Details">
        <EntryDetail entry={entry} />
      </Part>
      <Part title="Effects">
        {rows.length === 0 ? (
          <p class="soft">None: no object changed, and no event was delivered.</p>
        ) : (
          <Table
            name="Effects"
            columns={columns}
            rows={rows}
            keyOf={({ entry: { number } }) => number}
            hrefOf={hrefOfRow}
          />
        )}
      </Part>
    </>
  );
}

/** Shows an entry with its effects: a request with its response, a delivery attempt, a change or an action. */
export function EntryPage({ number }: { readonly number: string }) {
  const load = useLoad<ShownEntry>(`entries/${encodeURIComponent(number)}`);
  const { data } = load;
  const [row, ...others] = data === undefined ? [] : rowsOf([data.entry, ...data.effects], data.deliveries);
  return (
    <Page
      title={data === undefined ? `Entry ${number}` : entryText(data.entry)}
      badge={row && <Result row={row} />}
      actions={data?.story && <a href={hrefOf(['stories', data.story])}>Operation {data.story}</a>}
      up={up}
    >
      <Loaded load={load}>{({ entry }) => <Detail entry={entry} rows={others} />}</Loaded>
    </Page>
  );
}
