import type { Entry } from '../../../stories/entry.ts';

type Way = 'there' | 'back' | 'failed back' | 'broken there' | 'broken back';

/** Returns the arrows of a step: the request and the response. */
function waysOf(entry: Entry): readonly Way[] {
  if (entry.kind === 'request') {
    if (entry.reply === null) return ['broken there'];
    return ['there', entry.arrived ? 'back' : 'broken back'];
  }
  if (entry.kind === 'delivery') {
    if (entry.responseStatus === null) return ['broken there'];
    return ['there', entry.responseStatus < 300 ? 'back' : 'failed back'];
  }
  return ['there'];
}

/** Draws the arrows between two lanes. The badges of the step carry the same information as text. */
export function Wire({ entry }: { readonly entry: Entry }) {
  return (
    <div class={`wire of-${entry.kind}`} aria-hidden="true">
      {waysOf(entry).map((way) => (
        <span key={way} class={way} />
      ))}
    </div>
  );
}
