import { CodeText } from '../kit/code.tsx';
import { pageData } from '../kit/page-data.ts';
import { Facts, Id } from '../kit/values.tsx';
import { Tool } from './tool.tsx';

const environment = `PAYMENTS_BASE_URL=${location.origin}
PAYMENTS_SECRET_KEY=<the sandbox prints it when it starts>
PAYMENTS_SECURITY_KEY=<the sandbox prints it when it starts>
PAYMENTS_PUBLIC_KEY=${pageData.publicKey}`;

/** Shows the values that an app needs to use this sandbox. */
export function Connect() {
  return (
    <Tool title="Connect your app">
      <Facts
        facts={[
          ['Base URL', <Id key="" id={location.origin} href={null} />],
          ['Public key', <Id key="" id={pageData.publicKey} href={null} />],
        ]}
      />
      <CodeText name="environment" text={environment} />
      <p class="soft">The dashboard does not have the secret keys, so a screenshot shows none.</p>
    </Tool>
  );
}
