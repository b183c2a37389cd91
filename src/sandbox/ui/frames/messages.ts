/** What a frame of the sandbox says to the page that shows it. */
export type FrameMessage =
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'close' };

function readMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return undefined;
  const { kind } = data;
  if (kind === 'close') return { kind };
  if (kind === 'height' && 'height' in data && typeof data.height === 'number') {
    return { kind, height: data.height };
  }
  if (kind === 'answer' && 'answer' in data && typeof data.answer === 'string') {
    return { kind, answer: data.answer };
  }
  if (kind === 'token' && 'token' in data && typeof data.token === 'string') {
    return { kind, token: data.token };
  }
  return undefined;
}

/** Says something to the page that shows this frame, and to no page of another origin. */
export function tell(origin: string, message: FrameMessage): void {
  parent.postMessage(message, origin);
}

/**
 * Hears a frame, and nobody else: any window may send messages.
 *
 * @returns Ends it.
 */
export function hear(frame: HTMLIFrameElement, listener: (message: FrameMessage) => void): () => void {
  const { origin } = new URL(frame.src);
  const receive = ({ source, origin: from, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== frame.contentWindow || from !== origin) return;
    const message = readMessage(data);
    if (message !== undefined) listener(message);
  };
  addEventListener('message', receive);
  return () => removeEventListener('message', receive);
}
