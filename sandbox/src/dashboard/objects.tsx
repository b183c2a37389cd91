import type { Moment } from '../control/object-routes.ts';
import type { ShownKind } from '../domain/state.ts';
import { checkoutPath } from '../pages/checkout/path.ts';
import { columnsByKind, columnsOf, type Item, textIn } from './columns.tsx';
import { Diff, differencesOf, Json } from './kit/code.tsx';
import { Copy } from './kit/controls.tsx';
import { type Column, type Listed, ListPage, SelectFilter, Table, TextFilter } from './kit/list.tsx';
import { Empty, Loaded, Page, Part } from './kit/page.tsx';
import { hrefOf, type SectionProps } from './kit/route.ts';
import { sandboxState, useStore } from './kit/shared-value.ts';
import { useLoad } from './kit/use-load.ts';
import { Badge, heading, Id, plural, State, Time, words } from './kit/values.tsx';
import { StoryLink } from './story.tsx';

/** Lists the kinds of objects, with their counts. */
function Kinds() {
  const state = useStore(sandboxState);
  const counts = Object.keys(columnsByKind).flatMap((kind) => {
    const count = state?.objects[kind];
    return count === undefined ? [] : [{ kind, count }];
  });
  return (
    <Page title="Objects">
      {counts.length === 0 && state !== undefined && (
        <Empty title="No objects yet.">
          <p>
            Create some with your app, or <a href="#/tools">create sample data</a>.
          </p>
        </Empty>
      )}
      <ul class="tiles">
        {counts.map(({ kind, count }) => (
          <li key={kind}>
            <a href={`#/objects/${kind}`}>
              {heading(plural(kind))} <b>{count.toLocaleString('en-US')}</b>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** The states of each kind, separated by spaces. */
const states: { readonly [Kind in ShownKind]?: string } = {
  payment_intent: 'requires_payment_method requires_action requires_capture succeeded canceled',
  charge: 'succeeded failed',
  refund: 'pending succeeded failed',
  checkout_session: 'open complete expired',
  transaction: 'authorized pending settled voided expired validated declined failed',
  subscription: 'incomplete active past_due canceled ended',
  invoice: 'open paid uncollectible',
  credit_note: 'issued void',
  terminal_batch: 'pending reconciled incomplete needs_attention',
};

/** A filter by state, for a kind that has states. */
function StateFilter({ kind }: { readonly kind: string }) {
  const known = Object.entries(states).find(([name]) => name === kind)?.[1];
  if (known === undefined) return null;
  const options = known.split(' ').map((state) => [state, heading(state)] as const);
  return <SelectFilter name="state" label="State" options={options} />;
}

/** Lists the objects of a kind, newest first. */
function ObjectList({ kind }: { readonly kind: string }) {
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
    <ListPage<Listed<Item>, Item>
      title={heading(plural(kind))}
      noun={words(kind)}
      up={{ href: '#/objects', text: 'All kinds' }}
      path="objects"
      fixed={{ kind }}
      filters={['q', 'state']}
      rowsOf={({ data }) => data}
      idOf={({ id }) => id}
      draw={(rows) => (
        <Table
          name={`${heading(plural(kind))}, newest first`}
          columns={[id, ...(columnsOf(kind) ?? [])]}
          rows={rows}
          keyOf={(item) => item.id}
          hrefOf={hrefOfItem}
        />
      )}
      nothing={<Empty title={`No ${words(kind)} yet.`} />}
    >
      <TextFilter name="q" label="Search" placeholder="id, e-mail, name, amount" />
      <StateFilter kind={kind} />
    </ListPage>
  );
}

interface ObjectAnswer {
  readonly object: Item;
  /** Oldest first. */
  readonly history: readonly Moment[];
}

function PastMoment({ moment, before }: { readonly moment: Moment; readonly before: Moment | undefined }) {
  const { event, type, created, state, object } = moment;
  return (
    <li>
      <p class="line">
        <Time at={Date.parse(created)} />
        <a href={hrefOf(['activity', event])}>{type}</a>
        {state !== null && <State state={state} />}
      </p>
      {before !== undefined && <Diff before={before.object} after={object} />}
    </li>
  );
}

function History({ history, object }: ObjectAnswer) {
  const newest = history.at(-1);
  if (newest === undefined) return <p class="soft">No events about this object.</p>;
  return (
    <ol class="history">
      {history.map((moment, index) => (
        <PastMoment key={moment.event} moment={moment} before={history[index - 1]} />
      ))}
      {differencesOf(newest.object, object).length > 0 && (
        <li>
          <p>Changed later, without an event</p>
          <Diff before={newest.object} after={object} />
        </li>
      )}
    </ol>
  );
}

function Detail(answer: ObjectAnswer) {
  return (
    <>
      <StoryLink id={answer.object.id} />
      <div class="columns">
        <Part title="History">
          <History {...answer} />
        </Part>
        <Part title="Object">
          <Json value={answer.object} />
        </Part>
      </div>
    </>
  );
}

/** Shows an object with its history: the changes of each event. */
function ObjectPage({ kind, id }: { readonly kind: string; readonly id: string }) {
  const load = useLoad<ObjectAnswer>(`objects/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`);
  const state = load.data === undefined ? '' : textIn(load.data.object, 'status');
  const isPayable = kind === 'checkout_session' && state === 'open';
  return (
    <Page
      title={id}
      badge={
        <>
          {state !== '' && <State state={state} />}
          <Copy text={id} label="Copy the id" />
        </>
      }
      actions={
        isPayable && (
          <a href={checkoutPath(id)} target="_blank" rel="noopener">
            Open the checkout page
          </a>
        )
      }
      up={{ href: hrefOf(['objects', kind]), text: `All ${words(plural(kind))}` }}
    >
      <Loaded load={load}>{(answer) => <Detail {...answer} />}</Loaded>
    </Page>
  );
}

/** Shows the kinds of objects, the objects of a kind, or one object. */
export function Objects({ path: [kind, id] }: SectionProps) {
  if (kind === undefined) return <Kinds />;
  return id === undefined ? <ObjectList kind={kind} /> : <ObjectPage kind={kind} id={id} />;
}
