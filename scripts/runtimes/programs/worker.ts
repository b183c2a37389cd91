/** Runs the scenario in a Worker. */

import { runScenario } from './scenario.ts';
import type { Service } from './service.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const service: Service = JSON.parse(await request.text());
    return Response.json(await runScenario(service));
  },
};
