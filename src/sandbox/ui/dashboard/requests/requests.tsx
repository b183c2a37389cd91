import { Page } from '../kit/page.tsx';

/** All requests. */
export function Requests() {
  return <Page title="Requests">{null}</Page>;
}
