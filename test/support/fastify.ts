import type { FastifyInstance } from 'fastify';
import type { Receiver } from 'payments-client/webhooks';

/** Mounts a receiver in Fastify as `examples/webhooks/fastify.ts` does. */
export async function mountIn(app: FastifyInstance, path: string, receiver: Pick<Receiver, 'node'>) {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(path, async (request, reply) => {
      reply.hijack();
      await receiver.node(request.raw, reply.raw);
    });
  });
}
