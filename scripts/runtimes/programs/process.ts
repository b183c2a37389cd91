/**
 * Runs the story three times in a process: with its caller's sandbox, with its own sandbox in the process, and with one
 * that listens.
 */

import { createSandbox } from 'payments-client/sandbox';
import { beside, type Seen, type Service } from './service.ts';
import { tellStory } from './story.ts';

async function inProcess(closedUrl: string): Promise<Seen> {
  const sandbox = createSandbox();
  return beside(sandbox, closedUrl, (service) => tellStory(service, sandbox.fetch));
}

async function listening(closedUrl: string): Promise<Seen> {
  const sandbox = await createSandbox().listen();
  try {
    return await beside(sandbox, closedUrl, (service) => tellStory(service));
  } finally {
    await sandbox.close();
  }
}

async function tell(service: Service): Promise<void> {
  const { closedUrl } = service;
  const overHttp = await tellStory(service);
  const seen = { overHttp, inProcess: await inProcess(closedUrl), listening: await listening(closedUrl) };
  console.log(JSON.stringify(seen));
}

void tell(JSON.parse(process.argv[2] ?? ''));
