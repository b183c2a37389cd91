import type { Story } from '../../../stories/story.ts';
import { Loaded, Page, Part } from '../kit/page.tsx';
import type { SectionProps } from '../kit/section-props.ts';
import { useLoad } from '../kit/use-load.ts';
import { Steps } from './steps.tsx';
import { StoryActions } from './story-actions.tsx';
import { StoryHead } from './story-head.tsx';
import { Verdict } from './verdict.tsx';

const up = { href: '#/', text: 'All operations' };

function StoryPage({ story }: { readonly story: Story }) {
  return (
    <Page title={story.title} badge={<Verdict verdict={story.verdict} />} up={up}>
      <StoryHead story={story} />
      <div class="actions">
        <StoryActions story={story} />
      </div>
      <Part title="What happened">
        {story.isCut && <p class="soft">The first steps are no longer recorded.</p>}
        <Steps entries={story.entries} />
      </Part>
    </Page>
  );
}

/** Shows one business operation with its steps. */
export function StorySection({ path: [id = ''] }: SectionProps) {
  const load = useLoad<Story>(`stories/${encodeURIComponent(id)}`);
  if (load.data !== undefined) return <StoryPage story={load.data} />;
  return (
    <Page title={id} up={up}>
      <Loaded load={load}>{() => null}</Loaded>
    </Page>
  );
}
