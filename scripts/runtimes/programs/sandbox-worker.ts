/** Runs the scenario in a Worker, with a sandbox in the same Worker, which cannot listen there. */

import { createSandbox } from 'payments-client-sandbox';
import { runScenario } from './scenario.ts';
import { runAgainst, type Service } from './service.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const urls: Service = JSON.parse(await request.text());
    const sandbox = createSandbox();
    const printed = await runAgainst(sandbox, urls, (service) => runScenario(service, sandbox.fetch));
    const canListen = await sandbox.listen().then(
      () => true,
      () => false,
    );
    return new Response(`${printed}; listens: ${canListen}`);
  },
};
