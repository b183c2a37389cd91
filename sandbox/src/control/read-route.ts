import type { Context } from 'hono';
import { type ControlContext, readQuery } from './control-context.ts';

/** A request to read. */
interface ReadRequest {
  /** For an answer that is a stream. */
  readonly context: Context;
  readonly query: URLSearchParams;
  /** Returns the segment of the path that has this name. */
  param(name: string): string;
}

/** A route that reads. `npm run generate` writes its texts into `docs/sandbox-control.md`. */
export interface ReadRoute {
  /** Its path below `/_sandbox`. */
  readonly path: string;
  /** The names of its query parameters. Any other is refused. Default: none. */
  readonly query?: readonly string[];
  /** The form of the answer; `…` stands for further fields. */
  readonly body: string;
  /** What it answers, in one sentence. */
  readonly answers: string;
  read(sandbox: ControlContext, request: ReadRequest): Response;
}

/** Reads with a route. */
export function answer({ query = [], read }: ReadRoute, sandbox: ControlContext, context: Context): Response {
  const { req } = context;
  return read(sandbox, { context, query: readQuery(req.url, query), param: (name) => req.param(name) ?? '' });
}
