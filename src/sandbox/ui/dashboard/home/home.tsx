import { Page } from '../kit/page.tsx';

/** All operations. */
export function Home() {
  return <Page title="Operations">{null}</Page>;
}
