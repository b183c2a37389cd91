import type { Engine, QueuePlace } from '../../support/queues.ts';

/** The task of a process with an endpoint. */
export interface EndpointTask {
  readonly engine: Engine;
  readonly place: QueuePlace;
  /** The name of the queue. */
  readonly name: string;
  readonly secret: string;
}

/** What a worker did until its queue was empty. */
export interface Drained {
  /** How many events its handler got. */
  readonly events: number;
  /** How often its handler was called. */
  readonly calls: number;
}
