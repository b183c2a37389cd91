import type { ShownEntry } from '../control/entry-routes.ts';
import { columns, hrefOfRow, Result, rowsOf } from './entry-columns.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { entryText } from './entry-text.ts';
import { Table } from './kit/list.tsx';
import { Loaded, Page, Part } from './kit/page.tsx';
import { hrefOf } from './kit/route.ts';
import { useLoad } from './kit/use-load.ts';

const up = { href: '#/activity', text: 'All activity' };

function Detail({ entry, effects, deliveries, story }: ShownEntry) {
  const [row, ...others] = rowsOf([entry, ...effects], deliveries);
  return (
    <Page
      title={entryText(entry)}
      badge={row !== undefined && <Result row={row} />}
      actions={story !== null && <a href={hrefOf(['stories', story])}>Operation {story}</a>}
      up={up}
    >
      <Part title="Details">
        <EntryDetail entry={entry} />
      </Part>
      <Part title="Effects">
        {others.length === 0 ? (
          <p class="soft">None: no object changed, and no event was delivered.</p>
        ) : (
          <Table
            name="Effects"
            columns={columns}
            rows={others}
            keyOf={({ entry: { number } }) => number}
            hrefOf={hrefOfRow}
          />
        )}
      </Part>
    </Page>
  );
}

/** Shows an entry with its effects: a request with its response, a delivery attempt, a change or an action. */
export function EntryPage({ number }: { readonly number: string }) {
  const load = useLoad<ShownEntry>(`entries/${encodeURIComponent(number)}`);
  if (load.data !== undefined) return <Detail {...load.data} />;
  return (
    <Page title={`Entry ${number}`} up={up}>
      <Loaded load={load}>{() => null}</Loaded>
    </Page>
  );
}
