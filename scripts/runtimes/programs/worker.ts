/** Runs the scenario in a Worker. */

import { runScenario } from './scenario.ts';

export default {
  fetch: async (request: Request): Promise<Response> =>
    new Response(await runScenario(JSON.parse(await request.text()))),
};
