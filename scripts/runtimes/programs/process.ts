/** Runs the scenario with its caller's sandbox, with a sandbox in the process, and with that sandbox over HTTP. */

import { createSandbox } from 'payments-client-sandbox';
import { runScenario } from './scenario.ts';
import { runAgainst, type Service } from './service.ts';

async function run(service: Service): Promise<void> {
  const overHttp = await runScenario(service);
  const inside = createSandbox();
  const inProcess = await runAgainst(inside, service, (own) => runScenario(own, inside.fetch));
  const sandbox = await createSandbox().listen();
  const listening = await runAgainst(sandbox, service, (own) => runScenario(own));
  await sandbox.close();
  console.log([overHttp, inProcess, listening].join('; '));
}

void run(JSON.parse(process.argv[2] ?? ''));
