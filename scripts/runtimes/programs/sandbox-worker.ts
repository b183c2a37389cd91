/** Runs the story in a Worker, with a sandbox in the same Worker. */

import { createSandbox } from 'payments-client/sandbox';
import { beside, type Service } from './service.ts';
import { tellStory } from './story.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { closedUrl }: Service = JSON.parse(await request.text());
    const sandbox = createSandbox();
    const inProcess = await beside(sandbox, closedUrl, (service) => tellStory(service, sandbox.fetch));
    const canListen = await sandbox.listen().then(
      () => true,
      () => false,
    );
    return Response.json({ inProcess, canListen });
  },
};
