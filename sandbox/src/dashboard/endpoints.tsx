import type { EndpointSummary } from '../control/endpoint-summary.ts';
import { CommandButton, CommandForm } from './kit/commands.tsx';
import { Empty, Loaded, Page } from './kit/page.tsx';
import { hrefOf } from './kit/route.ts';
import { useLoad } from './kit/use-load.ts';
import { Facts, Id, State, Time } from './kit/values.tsx';

interface EndpointProps {
  readonly endpoint: EndpointSummary;
}

function Figures({ endpoint }: EndpointProps) {
  const { id, events, delivered, failed, pending, missed, success_rate: rate, last_at: lastAt } = endpoint;
  return (
    <Facts
      facts={[
        ['Success rate', rate === null ? 'no deliveries yet' : `${Math.round(rate * 1_000) / 10} %`],
        ['Delivered', delivered],
        ['Given up', failed],
        ['Pending', pending],
        ['Missed events', missed],
        ['Last attempt (UTC)', lastAt === null ? 'never' : <Time key="" at={lastAt} />],
        ['Events', events.includes('*') ? 'all' : events.join(', ')],
        ['Secret', <code key="">…{endpoint.secret_hint}</code>],
        ['Endpoint', <Id key="" id={id} />],
      ]}
    />
  );
}

/** Shows an endpoint with its delivery statistics and actions. */
function EndpointCard({ endpoint }: EndpointProps) {
  const { id, url, enabled, missed } = endpoint;
  return (
    <section class="card stack" aria-label={`Endpoint ${url}`}>
      <h3 class="line">
        <code>{url}</code>
        <State state={enabled ? 'enabled' : 'disabled'} />
      </h3>
      <Figures endpoint={endpoint} />
      <div class="actions">
        <CommandButton name={enabled ? 'webhooks.disable' : 'webhooks.enable'} args={{ id }}>
          {enabled ? 'Disable' : 'Enable'}
        </CommandButton>
        {missed > 0 && enabled && (
          <CommandButton name="webhooks.redeliver" args={{ id }}>
            Redeliver missed events
          </CommandButton>
        )}
        <CommandButton name="webhooks.rotate" args={{ id }}>
          Rotate secret
        </CommandButton>
        <CommandButton
          name="webhooks.drop"
          args={{ id }}
          expected="Deliveries are signed with the newest secret only. A receiver with an older one rejects them."
        >
          Drop old secrets
        </CommandButton>
        <CommandButton
          name="webhooks.delete"
          args={{ id }}
          expected="Events are no longer delivered to it, and its pending deliveries are canceled."
          variant="danger"
        >
          Delete the endpoint
        </CommandButton>
        <a href={hrefOf(['activity'], { kind: 'delivery', q: id })}>Deliveries</a>
      </div>
    </section>
  );
}

/** Lists the webhook endpoints with their delivery statistics. */
export function Endpoints() {
  const load = useLoad<{ data: readonly EndpointSummary[] }>('endpoints');
  return (
    <Page title="Endpoints">
      <div class="stack">
        <CommandForm name="webhooks.add" title="Add an endpoint" button="Add" />
        <Loaded load={load}>
          {({ data }) => (
            <>
              {data.length === 0 && (
                <Empty title="No endpoints yet.">
                  <p>Add the URL of your webhook receiver. Each event is delivered to it with a signature.</p>
                </Empty>
              )}
              {data.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} />
              ))}
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
