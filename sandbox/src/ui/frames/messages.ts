/** Returns a field of a value that may not be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/** The state of a card form. */
export interface CardChange {
  readonly complete: boolean;
  readonly empty: boolean;
  readonly brand: string | undefined;
}

/** A message of a frame to the page that embeds it. */
export type FrameMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'change'; readonly change: CardChange }
  | { readonly kind: 'close' };

/** A message of the page to a frame. */
export type PageMessage =
  | { readonly kind: 'theme'; readonly isDark: boolean }
  | { readonly kind: 'appearance'; readonly appearance: unknown; readonly hasButton: boolean }
  | { readonly kind: 'resume'; readonly wantsCard: boolean }
  | { readonly kind: 'submit' | 'clear' | 'focus' };

function readChange(change: unknown): CardChange {
  const brand = fieldOf(change, 'brand');
  return {
    complete: fieldOf(change, 'complete') === true,
    empty: fieldOf(change, 'empty') === true,
    brand: typeof brand === 'string' ? brand : undefined,
  };
}

function readFrameMessage(data: unknown): FrameMessage | undefined {
  const kind = fieldOf(data, 'kind');
  const [height, answer, token] = ['height', 'answer', 'token'].map((name) => fieldOf(data, name));
  if (kind === 'ready' || kind === 'close') return { kind };
  if (kind === 'height' && typeof height === 'number') return { kind, height };
  if (kind === 'answer' && typeof answer === 'string') return { kind, answer };
  if (kind === 'token' && typeof token === 'string') return { kind, token };
  if (kind === 'change') return { kind, change: readChange(fieldOf(data, 'change')) };
  return undefined;
}

function readPageMessage(data: unknown): PageMessage | undefined {
  const kind = fieldOf(data, 'kind');
  if (kind === 'theme') return { kind, isDark: fieldOf(data, 'isDark') === true };
  if (kind === 'appearance') {
    return { kind, appearance: fieldOf(data, 'appearance'), hasButton: fieldOf(data, 'hasButton') !== false };
  }
  if (kind === 'resume') return { kind, wantsCard: fieldOf(data, 'wantsCard') === true };
  if (kind === 'submit' || kind === 'clear' || kind === 'focus') return { kind };
  return undefined;
}

/** Listens to one window of one origin, since any window may send messages. */
function listen(
  sender: () => Window | null,
  origin: string,
  receive: (data: unknown) => void,
  signal?: AbortSignal,
): void {
  const listener = ({ source, origin: from, data }: MessageEvent<unknown>): void => {
    if (source !== null && source === sender() && from === origin) receive(data);
  };
  addEventListener('message', listener, signal === undefined ? {} : { signal });
}

/** Sends a message to the embedding page, only if it has the given origin. */
export function sendToPage(origin: string, message: FrameMessage): void {
  parent.postMessage(message, origin);
}

export function onPageMessage(origin: string, listener: (message: PageMessage) => void): void {
  listen(
    () => parent,
    origin,
    (data) => {
      const message = readPageMessage(data);
      if (message !== undefined) listener(message);
    },
  );
}

/** Sends a message to a frame, only while it shows a page of the sandbox's origin. */
export function sendToFrame(frame: HTMLIFrameElement, message: PageMessage): void {
  frame.contentWindow?.postMessage(message, new URL(frame.src).origin);
}

/** Listens to a frame until the signal aborts. */
export function onFrameMessage(
  frame: HTMLIFrameElement,
  listener: (message: FrameMessage) => void,
  signal: AbortSignal,
): void {
  const receive = (data: unknown): void => {
    const message = readFrameMessage(data);
    if (message !== undefined) listener(message);
  };
  listen(() => frame.contentWindow, new URL(frame.src).origin, receive, signal);
}
