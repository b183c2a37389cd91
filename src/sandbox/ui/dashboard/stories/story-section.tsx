import { Page } from '../kit/page.tsx';

/** One operation. */
export function StorySection() {
  return <Page title="Operation">{null}</Page>;
}
