import type { StorySummary } from '../../../stories/story.ts';
import { hrefOf } from '../kit/route.ts';
import { useLoad } from '../kit/use-load.ts';
import { Verdict } from './verdict.tsx';

/** Links the operation of an object or an event. Renders nothing if there is none. */
export function StoryLink({ id }: { readonly id: string }) {
  const { data } = useLoad<StorySummary>(`stories/${encodeURIComponent(id)}`);
  if (data === undefined) return null;
  return (
    <p class="line story-link">
      Part of the operation <a href={hrefOf(['stories', data.id])}>{data.title}</a>
      <Verdict verdict={data.verdict} />
    </p>
  );
}
