import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../control/endpoint-summary.ts';
import { post, remove } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { countText } from '../kit/format.ts';
import { notify } from '../kit/notices.ts';
import { hrefOf } from '../kit/route.ts';
import { Facts, Id, State, Time } from '../kit/values.tsx';
import type { NewSecret } from './secret-card.tsx';

interface EndpointProps {
  readonly endpoint: EndpointSummary;
  readonly show: (secret: NewSecret) => void;
}

function Count({ endpoint, status, count }: { endpoint: string; status: string; count: number }) {
  return <a href={hrefOf(['deliveries'], { endpoint, status })}>{count}</a>;
}

function Figures({ endpoint }: { readonly endpoint: EndpointSummary }) {
  const { id, events, delivered, failed, pending, success_rate: rate, last_at: lastAt } = endpoint;
  return (
    <Facts
      facts={[
        ['Success rate', rate === null ? 'no deliveries yet' : `${Math.round(rate * 1_000) / 10} %`],
        ['Delivered', <Count key="" endpoint={id} status="delivered" count={delivered} />],
        ['Given up', <Count key="" endpoint={id} status="failed" count={failed} />],
        ['Pending', <Count key="" endpoint={id} status="pending" count={pending} />],
        ['Last attempt', lastAt === null ? 'never' : <Time key="" at={lastAt} />],
        ['Events', events.includes('*') ? 'all' : events.join(', ')],
        ['Secret', <code key="">…{endpoint.secret_hint}</code>],
        ['Endpoint', <Id key="" id={id} />],
      ]}
    />
  );
}

type Question = 'drop' | 'delete';

/** The confirmations of the destructive actions. */
const questions = {
  drop: {
    title: 'Drop old secrets',
    expected: 'Deliveries are signed with the newest secret only. A receiver with an older one rejects them.',
    variant: 'primary',
  },
  delete: {
    title: 'Delete the endpoint',
    expected: 'Events are no longer delivered to it, and its pending deliveries are canceled.',
    variant: 'danger',
  },
} as const;

/** Shows an endpoint with its delivery statistics and actions. */
export function EndpointCard({ endpoint, show }: EndpointProps) {
  const { id, url, enabled, failed } = endpoint;
  const [question, setQuestion] = useState<Question | undefined>(undefined);
  const path = `endpoints/${encodeURIComponent(id)}`;
  const rotate = async () => show({ url, ...(await post<{ secret: string }>(`${path}/rotate`)) });
  const redeliver = async () => {
    const { count } = await post<{ count: number }>(`${path}/redeliver-failed`);
    notify(`The sandbox redelivers ${countText(count, 'event')}.`, [
      { href: hrefOf(['deliveries'], { endpoint: id }), text: 'Deliveries' },
    ]);
  };
  const answer = () => (question === 'delete' ? remove(path) : post(`${path}/drop-old-secrets`));
  return (
    <section class="card stack" aria-label={`Endpoint ${url}`}>
      <h3 class="line">
        <code>{url}</code>
        <State state={enabled ? 'enabled' : 'disabled'} />
      </h3>
      <Figures endpoint={endpoint} />
      <div class="actions">
        <Button act={() => post(path, { enabled: !enabled })}>{enabled ? 'Disable' : 'Enable'}</Button>
        {failed > 0 && enabled && <Button act={redeliver}>Redeliver failed</Button>}
        <Button act={rotate}>Rotate secret</Button>
        <Button act={() => setQuestion('drop')}>Drop old secrets</Button>
        <Button act={() => setQuestion('delete')} variant="danger">
          Delete
        </Button>
      </div>
      {question !== undefined && (
        <Confirm
          {...questions[question]}
          button={questions[question].title}
          act={answer}
          close={() => setQuestion(undefined)}
        />
      )}
    </section>
  );
}
