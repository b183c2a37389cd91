import { pageData } from './kit/api.ts';
import { CodeText } from './kit/code.tsx';
import { CommandButton, CommandForm } from './kit/commands.tsx';
import { Card, Page } from './kit/page.tsx';

const environment = `PAYMENTS_BASE_URL=${location.origin}
PAYMENTS_SECRET_KEY=<npx payments-client env prints it>
PAYMENTS_SECURITY_KEY=<npx payments-client env prints it>
PAYMENTS_PUBLIC_KEY=${pageData.publicKey}`;

/** Tools for events that otherwise need a buyer, a bank, or time. */
export function Tools() {
  return (
    <Page title="Tools">
      <div class="stack">
        <Card title="Connect your app">
          <CodeText name="environment" text={environment} />
          <p class="soft">The dashboard does not have the secret keys, so a screenshot shows none.</p>
        </Card>
        <CommandForm name="trigger" title="Trigger an event" button="Trigger" />
        <CommandForm
          name="seed"
          title="Sample data"
          button="Create sample data"
          links={[{ href: '#/objects', text: 'Objects' }]}
        />
        <Card title="Reset">
          <div class="actions">
            <CommandButton
              name="reset"
              expected="All objects, events, deliveries and faults are deleted, and the clock is reset."
              variant="danger"
            >
              Reset the sandbox
            </CommandButton>
          </div>
        </Card>
      </div>
    </Page>
  );
}
