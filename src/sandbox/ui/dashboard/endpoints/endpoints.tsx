import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../control/endpoint-summary.ts';
import { Empty, Loaded, Page } from '../kit/page.tsx';
import { useLoad } from '../kit/use-load.ts';
import { EndpointCard } from './endpoint-card.tsx';
import { NewEndpoint } from './new-endpoint.tsx';
import { type NewSecret, SecretCard } from './secret-card.tsx';

/** Lists the webhook endpoints with their delivery statistics. */
export function Endpoints() {
  const load = useLoad<{ data: readonly EndpointSummary[] }>('endpoints');
  const [secret, setSecret] = useState<NewSecret | undefined>(undefined);
  return (
    <Page title="Endpoints">
      <NewEndpoint show={setSecret} />
      {secret !== undefined && <SecretCard {...secret} close={() => setSecret(undefined)} />}
      <Loaded load={load}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No endpoints yet.">
              <p>Add the URL of your webhook receiver. Each event is delivered to it with a signature.</p>
            </Empty>
          ) : (
            <div class="stack">
              {data.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} show={setSecret} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
