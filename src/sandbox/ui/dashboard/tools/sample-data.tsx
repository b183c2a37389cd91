import { useState } from 'preact/hooks';
import { post } from '../kit/api.ts';
import { words } from '../kit/format.ts';
import { Field, Form } from '../kit/forms.tsx';
import { notify } from '../kit/notices.ts';
import { Tool } from './tool.tsx';

/** Creates customers and payments with a history. */
export function SampleData() {
  const [customers, setCustomers] = useState('20');
  const [intents, setIntents] = useState('200');
  const [months, setMonths] = useState('12');
  const act = async (): Promise<void> => {
    const counts = await post<Record<string, number>>('seed', {
      customers: Number(customers),
      intents: Number(intents),
      months: Number(months),
    });
    const made = Object.entries(counts).map(([kind, count]) => `${count} ${words(kind)}`);
    notify(`The sandbox created ${made.join(', ')}.`, [{ href: '#/objects', text: 'Objects' }]);
  };
  return (
    <Tool title="Sample data">
      <Form name="Sample data" button="Create sample data" act={act}>
        <Field label="Customers" value={customers} onInput={setCustomers} inputMode="numeric" />
        <Field label="Payments" value={intents} onInput={setIntents} inputMode="numeric" />
        <Field label="Months" value={months} onInput={setMonths} inputMode="numeric" />
      </Form>
    </Tool>
  );
}
