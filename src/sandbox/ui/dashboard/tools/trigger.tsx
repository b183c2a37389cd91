import { useState } from 'preact/hooks';
import { post } from '../kit/api.ts';
import { Form, Select } from '../kit/forms.tsx';
import { notify } from '../kit/notices.ts';
import { pageData } from '../kit/page-data.ts';
import { hrefOf } from '../kit/route.ts';
import { Tool } from './tool.tsx';

const types = pageData.types.map((name) => [name, name] as const);

/** Triggers an event. */
export function Trigger() {
  const [type, setType] = useState(pageData.types[0] ?? '');
  const act = async (): Promise<void> => {
    const { id } = await post<{ id: string }>('trigger', { type });
    notify(`Triggered ${type}.`, [{ href: hrefOf(['events', id]), text: 'Show the event' }]);
  };
  return (
    <Tool title="Trigger an event">
      <p class="soft">
        The sandbox makes the state change behind the event, and creates the objects that it needs.
      </p>
      <Form name="Trigger an event" button="Trigger" act={act}>
        <Select label="Type" value={type} onChange={setType} options={types} />
      </Form>
    </Tool>
  );
}
