const connection = {
  ECONNRESET: { message: 'read ECONNRESET', syscall: 'read' },
  ECONNREFUSED: { message: 'connect ECONNREFUSED', syscall: 'connect' },
} as const;

/**
 * The connection broke before the reply. It has the shape of Node's `fetch` error, so that in-process code meets the
 * same error as over a network.
 */
export class ConnectionDropped extends TypeError {
  constructor(code: keyof typeof connection = 'ECONNRESET') {
    const { message, syscall } = connection[code];
    super('fetch failed', { cause: Object.assign(new Error(message), { code, syscall }) });
  }
}

/** Returns the error of a connection that breaks while the body is read, in the shape of Node's `fetch`. */
function bodyTerminated(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('terminated', { cause });
}

/** A body that is cut after its first half. */
export interface Cut {
  readonly first: Uint8Array<ArrayBuffer>;
  readonly rest: Uint8Array<ArrayBuffer>;
  /** Resolves when the second half is sent; `undefined` if the connection ends instead. */
  readonly resumed: Promise<void> | undefined;
}

/** Whether the second half is sent later, or never. */
export type Cutting = Pick<Cut, 'resumed'>;

/** For the server, which cuts the connection instead of the stream. */
const cuts = new WeakMap<Response, Cut>();

/** Returns the cut of a response; `undefined` if its body is complete. */
export function cutOf(response: Response): Cut | undefined {
  return cuts.get(response);
}

function halve(body: string): Pick<Cut, 'first' | 'rest'> {
  const bytes = new TextEncoder().encode(body);
  const middle = Math.floor(bytes.length / 2);
  return { first: bytes.slice(0, middle), rest: bytes.slice(middle) };
}

/** Streams the body. It errors as soon as the caller aborts. */
function toStream({ first, rest, resumed }: Cut, signal: AbortSignal): ReadableStream<Uint8Array> {
  let began = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => controller.error(signal.reason);
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      },
      async pull(controller) {
        if (!began) {
          began = true;
          controller.enqueue(first);
          return;
        }
        if (resumed === undefined) {
          controller.error(bodyTerminated());
          return;
        }
        await resumed;
        if (signal.aborted) return;
        controller.enqueue(rest);
        controller.close();
      },
    },
    // No read-ahead, so that the first half always arrives before the connection ends.
    { highWaterMark: 0 },
  );
}

/** Returns a response with the full `content-length` and a cut body. */
export function cutResponse(
  body: string,
  init: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  { resumed }: Cutting,
  signal: AbortSignal,
): Response {
  const cut = { ...halve(body), resumed };
  const headers = { ...init.headers, 'content-length': String(cut.first.length + cut.rest.length) };
  const response = new Response(toStream(cut, signal), { status: init.status, headers });
  cuts.set(response, cut);
  return response;
}
