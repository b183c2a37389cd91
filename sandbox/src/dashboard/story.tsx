import { useState } from 'preact/hooks';
import type { StoryAction, StoryObject, StorySummary } from '../stories/story.ts';
import type { Story } from '../stories/whole-story.ts';
import { perform } from './kit/api.ts';
import { Button, Confirm } from './kit/controls.tsx';
import { Loaded, Page, Part } from './kit/page.tsx';
import { hrefOf, type SectionProps } from './kit/route.ts';
import { notify } from './kit/shared-value.ts';
import { useLoad } from './kit/use-load.ts';
import { Badge, countText, Facts, Id, Kind, Money, moneyText, State, Time } from './kit/values.tsx';
import { Operations, Verdict } from './operation.tsx';
import { Steps } from './steps.tsx';

type Choose = (action: StoryAction) => void;

/** Its button stands in the step whose reply was lost. */
const repeatCommand = 'requests.repeat';

/** Shows buttons for the next actions on an operation. */
function StoryActions({ story, choose }: { readonly story: Story; readonly choose: Choose }) {
  return (
    <div class="actions">
      {story.actions
        .filter(({ name }) => name !== repeatCommand)
        .map((action) => (
          <Button
            key={`${action.name} ${JSON.stringify(action.args)}`}
            act={() => choose(action)}
            variant={action.isAdvised ? 'primary' : undefined}
          >
            {action.label}
          </Button>
        ))}
    </div>
  );
}

/** Asks whether to perform an action. It states the expected effect first. */
function ConfirmAction({ action, close }: { readonly action: StoryAction; readonly close: () => void }) {
  const { name, args, label, expected } = action;
  const act = async (): Promise<void> => {
    const { message } = await perform(name, args);
    notify(message);
  };
  return <Confirm title={label} expected={expected} button={label} act={act} close={close} />;
}

/** Shows how many deliveries succeeded: `2/2 ✓`. */
function WebhooksCount({ webhooks }: { readonly webhooks: StorySummary['webhooks'] }) {
  const { delivered, failing, total } = webhooks;
  if (total === 0) return <span class="soft">none</span>;
  if (failing > 0) {
    return (
      <Badge tone="bad">
        {delivered}/{total}, {failing} failed
      </Badge>
    );
  }
  const isDone = delivered === total;
  return (
    <span class={isDone ? 'done' : 'soft'}>
      {delivered}/{total} {isDone ? '✓' : 'pending'}
    </span>
  );
}

function ObjectNow({ object: { kind, id, state, money } }: { readonly object: StoryObject }) {
  return (
    <li>
      <Kind kind={kind} />
      {state === null ? null : <State state={state} />}
      {money !== null && <Money {...money} />}
      <Id id={id} href={hrefOf(['objects', kind, id])} />
    </li>
  );
}

/** More than these are folded. */
const mostObjects = 6;

function ObjectsNow({ objects }: { readonly objects: readonly StoryObject[] }) {
  if (objects.length === 0) return null;
  return (
    <details class="objects-now" open={objects.length <= mostObjects}>
      <summary>{countText(objects.length, 'object')}</summary>
      <ul class="objects" aria-label="Current objects">
        {objects.map((object) => (
          <ObjectNow key={object.id} object={object} />
        ))}
      </ul>
    </details>
  );
}

function factsOf({ money, charges, net, attempts, webhooks, customer, email, startedAt, endedAt }: Story) {
  return [
    ['Amount', money === null ? 'unknown' : <Money key="" {...money} />],
    ['Charges', charges],
    ['Net', money === null || net === null ? 'in several currencies' : moneyText(net, money.currency)],
    ...(attempts > 1 ? [['Sent by your app', `${attempts} times`] as const] : []),
    ['Webhooks', <WebhooksCount key="" webhooks={webhooks} />],
    ...(customer === null && email === null ? [] : [['Customer', email ?? customer] as const]),
    ['Started (UTC)', <Time key="" at={startedAt} />],
    ['Last change (UTC)', <Time key="" at={endedAt} />],
  ] as const;
}

/** Shows the verdict of an operation with its reason, its figures, and the current state of its objects. */
function StoryHead({ story }: { readonly story: Story }) {
  return (
    <section class={`card verdict ${story.needs === null ? story.verdict : 'needs'}`} aria-label="Verdict">
      <p class="why">{story.reason}</p>
      {story.needs !== null && <p class="need">{story.needs.action}</p>}
      <Facts facts={factsOf(story)} />
      <ObjectsNow objects={story.objects} />
    </section>
  );
}

const up = { href: '#/', text: 'All operations' };

function Whole({ story }: { readonly story: Story }) {
  const [chosen, setChosen] = useState<StoryAction>();
  const choose: Choose = (action) => setChosen(action);
  return (
    <>
      <StoryHead story={story} />
      <StoryActions story={story} choose={choose} />
      {story.twins.length > 0 && (
        <Part title="Probably the same purchase">
          <Operations name="The other operations" stories={story.twins} />
        </Part>
      )}
      <Part title="What happened">
        {story.isCut && <p class="soft">The first steps are no longer recorded.</p>}
        <Steps entries={story.entries} log={story.log} actions={story.actions} choose={choose} />
      </Part>
      {chosen !== undefined && <ConfirmAction action={chosen} close={() => setChosen(undefined)} />}
    </>
  );
}

/** Shows one business operation with its steps. */
export function StorySection({ path: [id = ''] }: SectionProps) {
  const load = useLoad<Story>(`stories/${encodeURIComponent(id)}`);
  const { data } = load;
  return (
    <Page title={data?.title ?? id} badge={data && <Verdict story={data} />} up={up}>
      <Loaded load={load}>{(story) => <Whole story={story} />}</Loaded>
    </Page>
  );
}

/** Links the operation of an object or an event. Renders nothing if there is none. */
export function StoryLink({ id }: { readonly id: string }) {
  const { data } = useLoad<StorySummary>(`stories/${encodeURIComponent(id)}`);
  if (data === undefined) return null;
  return (
    <p class="line story-link">
      Part of the operation <a href={hrefOf(['stories', data.id])}>{data.title}</a>
      <Verdict story={data} />
    </p>
  );
}
