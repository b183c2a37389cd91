import { Page } from '../kit/page.tsx';
import { Connect } from './connect.tsx';
import { Reset } from './reset.tsx';
import { SampleData } from './sample-data.tsx';
import { Trigger } from './trigger.tsx';

/** Tools for events that otherwise need a buyer, a bank, or time. */
export function Tools() {
  return (
    <Page title="Tools">
      <div class="stack">
        <Connect />
        <Trigger />
        <SampleData />
        <Reset />
      </div>
    </Page>
  );
}
