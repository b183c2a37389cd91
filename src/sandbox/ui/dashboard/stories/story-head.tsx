import type { Story, StoryObject } from '../../../stories/story.ts';
import { WebhooksCount } from '../home/webhooks-count.tsx';
import { moneyText } from '../kit/format.ts';
import { hrefOf } from '../kit/route.ts';
import { Facts, Id, Kind, Money, State, Time } from '../kit/values.tsx';

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

function factsOf({ money, charges, net, attempts, webhooks, customer, email, startedAt, endedAt }: Story) {
  return [
    ['Amount', money === null ? 'unknown' : <Money key="" {...money} />],
    ['Charges', charges],
    ['Net', money === null ? net : moneyText(net, money.currency)],
    ['Attempts', attempts],
    ['Webhooks', <WebhooksCount key="" webhooks={webhooks} />],
    ...(customer === null && email === null ? [] : [['Customer', email ?? customer] as const]),
    ['Started', <Time key="" at={startedAt} />],
    ['Last change', <Time key="" at={endedAt} />],
  ] as const;
}

/** Shows the verdict of an operation with its reason, its figures, and the current state of its objects. */
export function StoryHead({ story }: { readonly story: Story }) {
  return (
    <section class={`card verdict ${story.verdict}`} aria-label="Verdict">
      <p class="why">{story.reason}</p>
      <Facts facts={factsOf(story)} />
      {story.objects.length > 0 && (
        <ul class="objects" aria-label="Current objects">
          {story.objects.map((object) => (
            <ObjectNow key={object.id} object={object} />
          ))}
        </ul>
      )}
    </section>
  );
}
