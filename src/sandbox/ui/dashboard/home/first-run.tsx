import { post } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { CodeText } from '../kit/code.tsx';
import { notify } from '../kit/notices.ts';

const program = `import { PaymentsClient } from 'payments-client';

const payments = new PaymentsClient({ baseUrl: '${location.origin}' });
const intent = await payments.paymentIntents.create({ amount: 5500, currency: 'usd' }, { operationId: 'order-100' });
await payments.paymentIntents.confirm(intent.id, { payment_method: 'pm_card' }, { operationId: 'order-100' });`;

async function makeSampleData(): Promise<void> {
  await post('seed');
  notify('The sandbox created sample data. Operations appear when your app sends requests.', [
    { href: '#/objects', text: 'Objects' },
  ]);
}

/** Shows the first steps in a new sandbox. */
export function FirstRun() {
  return (
    <section class="card first-run" aria-label="First steps">
      <h3>Send the first payment</h3>
      <p class="soft">
        Three lines create a payment and pay it. Send them twice: the operation is still charged once.
      </p>
      <CodeText name="the first payment" text={program} />
      <p class="soft">
        The client reads its key from <code>PAYMENTS_SECRET_KEY</code>. The sandbox prints the key when it
        starts; a test has it as <code>sandbox.secretKey</code>.
      </p>
      <div class="actions">
        <span>No app yet?</span>
        <Button act={makeSampleData}>Create sample data</Button>
      </div>
    </section>
  );
}
