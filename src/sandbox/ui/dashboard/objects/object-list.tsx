import { TextFilter } from '../kit/filters.tsx';
import { heading, words } from '../kit/format.ts';
import { ListPage } from '../kit/list-page.tsx';
import { Empty } from '../kit/page.tsx';
import { hrefOf } from '../kit/route.ts';
import type { Column } from '../kit/table.tsx';
import { Badge, Id } from '../kit/values.tsx';
import { columnsOf } from './columns.tsx';
import type { Item } from './item.ts';
import { StateFilter } from './state-filter.tsx';

interface Answer {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** Lists the objects of a kind, newest first. */
export function ObjectList({ kind }: { readonly kind: string }) {
  const hrefOfItem = ({ id }: Item): string => hrefOf(['objects', kind, id]);
  const id: Column<Item> = {
    name: 'Id',
    main: true,
    cell: (item) => (
      <span class="line">
        <Id id={item.id} href={hrefOfItem(item)} />
        {item['deleted'] === true && <Badge tone="bad">deleted</Badge>}
      </span>
    ),
  };
  return (
    <ListPage<Answer, Item>
      title={heading(kind)}
      noun={words(kind)}
      up={{ href: '#/objects', text: 'All kinds' }}
      path="objects"
      fixed={{ kind }}
      filters={['q', 'state']}
      cursor="starting_after"
      columns={[id, ...(columnsOf(kind) ?? [])]}
      rowsOf={({ data }) => data}
      idOf={({ id }) => id}
      hrefOf={hrefOfItem}
      nothing={<Empty title={`No ${words(kind)} yet.`} />}
    >
      <TextFilter name="q" label="Search" placeholder="id, e-mail, name, amount" />
      <StateFilter kind={kind} />
    </ListPage>
  );
}
