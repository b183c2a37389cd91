import type { StorySummary } from '../stories/story.ts';
import { perform } from './kit/api.ts';
import { CodeText } from './kit/code.tsx';
import { Button } from './kit/controls.tsx';
import { type Listed, ListPage, SelectFilter, TextFilter } from './kit/list.tsx';
import { notify } from './kit/shared-value.ts';
import { needOptions, Operations, verdictOptions } from './operation.tsx';

const program = `import { PaymentsClient } from 'payments-client';

const payments = new PaymentsClient({ baseUrl: '${location.origin}' });
const intent = await payments.paymentIntents.create({ amount: 5500, currency: 'usd' }, { operationId: 'order-100' });
await payments.paymentIntents.confirm(intent.id, { payment_method: 'pm_card' }, { operationId: 'order-100' });`;

async function makeOrders(): Promise<void> {
  const { message } = await perform('demo');
  notify(message);
}

/** Shows the first steps in a new sandbox. */
function FirstRun() {
  return (
    <section class="card first-run" aria-label="First steps">
      <h3>Send the first payment</h3>
      <p class="soft">
        Three lines create a payment and pay it. Send them twice: the operation is still charged once.
      </p>
      <CodeText name="the first payment" text={program} />
      <p class="soft">
        The client reads its key from <code>PAYMENTS_SECRET_KEY</code>. In a shell,{' '}
        <code>npx payments-client env</code> prints it; a test has it as <code>sandbox.secretKey</code>.
      </p>
      <div class="actions">
        <span>No app yet?</span>
        <Button act={makeOrders}>Show orders that go wrong</Button>
      </div>
    </section>
  );
}

/** Lists all business operations, those that need somebody first, each with its verdict: was it charged once? */
export function Home() {
  return (
    <ListPage<Listed<StorySummary>, StorySummary>
      title="Operations"
      noun="operation"
      path="stories"
      filters={['verdict', 'needs', 'q']}
      rowsOf={({ data }) => data}
      idOf={({ id }) => id}
      draw={(stories) => <Operations name="Operations, those that need you first" stories={stories} />}
      nothing={<FirstRun />}
    >
      <TextFilter name="q" label="Search" placeholder="order, e-mail, id, amount" />
      <SelectFilter name="verdict" label="Verdict" options={verdictOptions} />
      <SelectFilter name="needs" label="Needs you" options={needOptions} />
    </ListPage>
  );
}
