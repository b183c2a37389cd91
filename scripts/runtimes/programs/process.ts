/**
 * Runs the scenario three times in a process: with its caller's sandbox, with its own sandbox in the process, and with
 * its own sandbox over HTTP.
 */

import { createSandbox } from 'payments-client/sandbox';
import { runScenario } from './scenario.ts';
import { type Observations, runAgainst, type Service } from './service.ts';

async function inProcess(closedUrl: string): Promise<Observations> {
  const sandbox = createSandbox();
  return runAgainst(sandbox, closedUrl, (service) => runScenario(service, sandbox.fetch));
}

async function listening(closedUrl: string): Promise<Observations> {
  const sandbox = await createSandbox().listen();
  try {
    return await runAgainst(sandbox, closedUrl, (service) => runScenario(service));
  } finally {
    await sandbox.close();
  }
}

async function run(service: Service): Promise<void> {
  const { closedUrl } = service;
  const overHttp = await runScenario(service);
  const observed = { overHttp, inProcess: await inProcess(closedUrl), listening: await listening(closedUrl) };
  console.log(JSON.stringify(observed));
}

void run(JSON.parse(process.argv[2] ?? ''));
