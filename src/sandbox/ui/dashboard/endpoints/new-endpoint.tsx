import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../control/endpoint-summary.ts';
import { post } from '../kit/api.ts';
import { Field, Form } from '../kit/forms.tsx';
import type { NewSecret } from './secret-card.tsx';

/** A form that creates an endpoint and shows its secret. */
export function NewEndpoint({ show }: { readonly show: (secret: NewSecret) => void }) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState('');
  const add = async (): Promise<void> => {
    const events = types.split(/[\s,]+/).filter(Boolean);
    const made = await post<EndpointSummary & { secret: string }>('endpoints', {
      url,
      ...(events.length > 0 && { events }),
    });
    show(made);
    setUrl('');
    setTypes('');
  };
  return (
    <Form name="Add an endpoint" button="Add" act={add} variant="primary">
      <Field
        label="Address"
        value={url}
        onInput={setUrl}
        inputMode="url"
        placeholder="http://127.0.0.1:3000/webhooks"
      />
      <Field label="Events" value={types} onInput={setTypes} placeholder="all, or refund.created, …" />
    </Form>
  );
}
