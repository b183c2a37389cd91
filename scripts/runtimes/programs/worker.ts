/** The story in a Worker. */

import type { Service } from './service.ts';
import { tellStory } from './story.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const service: Service = JSON.parse(await request.text());
    return Response.json(await tellStory(service));
  },
};
