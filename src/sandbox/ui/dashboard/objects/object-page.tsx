import type { Moment } from '../../../control/history.ts';
import { checkoutPath } from '../../../pages/checkout/path.ts';
import { Copy } from '../kit/copy.tsx';
import { Diff, differencesOf } from '../kit/diff.tsx';
import { heading } from '../kit/format.ts';
import { Json } from '../kit/json.tsx';
import { Loaded, Page, Part } from '../kit/page.tsx';
import { hrefOf } from '../kit/route.ts';
import { useLoad } from '../kit/use-load.ts';
import { State, Time } from '../kit/values.tsx';
import { StoryLink } from '../stories/story-link.tsx';
import { type Item, textIn } from './item.ts';

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
        <a href={hrefOf(['events', event])}>{type}</a>
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
export function ObjectPage({ kind, id }: { readonly kind: string; readonly id: string }) {
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
      up={{ href: hrefOf(['objects', kind]), text: `All: ${heading(kind)}` }}
    >
      <Loaded load={load}>{(answer) => <Detail {...answer} />}</Loaded>
    </Page>
  );
}
