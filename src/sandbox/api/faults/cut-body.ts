import { bodyTerminated } from './connection-dropped.ts';

/** A body of which only the first half comes. */
export interface Cut {
  /** What comes. */
  readonly first: Uint8Array<ArrayBuffer>;
  /** What is missing. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** When the rest comes after all; `undefined` where the connection ends instead. */
  readonly resumed: Promise<void> | undefined;
}

/** How a body is cut: whether the rest comes when something happens, or never. */
export type Cutting = Pick<Cut, 'resumed'>;

/** For the server, which cuts the connection itself and not the stream. */
const cuts = new WeakMap<Response, Cut>();

/** How the body of a response is cut, where it is. */
export function cutOf(response: Response): Cut | undefined {
  return cuts.get(response);
}

function halve(body: string): Pick<Cut, 'first' | 'rest'> {
  const bytes = new TextEncoder().encode(body);
  const middle = Math.floor(bytes.length / 2);
  return { first: bytes.slice(0, middle), rest: bytes.slice(middle) };
}

/** The body as a stream, which ends with an error as soon as the caller no longer wants it. */
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
    // Nothing is read ahead, so that the first half always arrives before the connection ends.
    { highWaterMark: 0 },
  );
}

/** A response whose length is announced in full and whose body is cut. */
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
