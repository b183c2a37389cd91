/**
 * Runs the scenario three times in a process: with its caller's sandbox, with its own sandbox in the process, and with
 * its own sandbox over HTTP.
 */

import { createSandbox } from 'payments-client/sandbox';
import { runScenario } from './scenario.ts';
import { type FailingUrls, type Observations, runAgainst, type Service } from './service.ts';

async function inProcess(urls: FailingUrls): Promise<Observations> {
  const sandbox = createSandbox();
  return runAgainst(sandbox, urls, (service) => runScenario(service, sandbox.fetch));
}

async function listening(urls: FailingUrls): Promise<Observations> {
  const sandbox = await createSandbox().listen();
  try {
    return await runAgainst(sandbox, urls, (service) => runScenario(service));
  } finally {
    await sandbox.close();
  }
}

async function run(service: Service): Promise<void> {
  const overHttp = await runScenario(service);
  const observed = { overHttp, inProcess: await inProcess(service), listening: await listening(service) };
  console.log(JSON.stringify(observed));
}

void run(JSON.parse(process.argv[2] ?? ''));
