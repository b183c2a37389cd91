import type { RecordedChange } from '../../../stories/entry.ts';
import { Diff } from '../kit/diff.tsx';
import { Json } from '../kit/json.tsx';
import { Id } from '../kit/values.tsx';
import { ForkButton } from './fork-button.tsx';

/** Shows an object before and after a change, and the events that the change emitted. */
export function ChangeDetail({ change }: { readonly change: RecordedChange }) {
  const { object, before, after, events, number } = change;
  return (
    <div class="detail">
      <p class="line">
        <Id id={object.id} href={`#/objects/${object.kind}/${encodeURIComponent(object.id)}`} />
      </p>
      {before !== null && after !== null && (
        <section>
          <h4>Difference</h4>
          <Diff before={before} after={after} />
        </section>
      )}
      <div class="sides">
        <section>
          <h4>Before</h4>
          {before === null ? (
            <p class="soft">The object did not exist.</p>
          ) : (
            <Json value={before} name="object before" />
          )}
        </section>
        <section>
          <h4>After</h4>
          {after === null ? (
            <p class="soft">The object was removed.</p>
          ) : (
            <Json value={after} name="object after" />
          )}
        </section>
      </div>
      {events.length > 0 && (
        <p class="line">
          Emitted{' '}
          {events.map(({ id, type }) => (
            <a key={id} href={`#/events/${id}`}>
              {type}
            </a>
          ))}
        </p>
      )}
      <div class="actions">
        <ForkButton number={number} />
      </div>
    </div>
  );
}
