import {
  type BrowserError,
  type CardFieldsOptions,
  type CollectOptions,
  loadCardFields,
} from 'payments-client/browser';
import { createElement, type ReactElement, type ReactNode, useEffect, useRef } from 'react';

/** The properties of {@link CardFields}. */
export interface CardFieldsProps extends CardFieldsOptions, Pick<CollectOptions, 'config'> {
  /** Is told each token that the buyer's card gives. */
  readonly onToken: (token: string) => void;
  /** Is told why there will be no token. Default: nobody is told. */
  readonly onError?: ((error: BrowserError) => void) | undefined;
  /** The id of the element. Default: `card-fields`, where the sandbox's script shows its fields. */
  readonly id?: string | undefined;
  /** The class of the element. Default: none. */
  readonly className?: string | undefined;
  /** What is in the element, where the script expects something. Default: nothing. */
  readonly children?: ReactNode;
}

/**
 * Card fields: an element of the page, the service's script, and a token for each card that the buyer gives. On a server it is
 * the element alone. Options count when it is first shown; give it another `key` to begin anew.
 *
 * @example
 * <CardFields src={cardFieldScript} onToken={(token) => pay(token)} onError={report} />
 */
export function CardFields(props: CardFieldsProps): ReactElement {
  const { id = 'card-fields', className, children } = props;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const shown = new AbortController();
    collectTokens(latest, shown.signal).catch((error: BrowserError) => {
      if (!shown.signal.aborted) latest.current.onError?.(error);
    });
    return () => shown.abort();
  }, []);
  return createElement('div', { id, className }, children);
}

/** Waits for one token after the other. The callbacks may be others at each rendering, so the latest one is told. */
async function collectTokens(
  latest: { readonly current: CardFieldsProps },
  signal: AbortSignal,
): Promise<void> {
  const { config, src, attributes, nonce, integrity, timeout, maxRetries } = latest.current;
  // Elements may have further properties, such as data-testid.
  const fields = await loadCardFields({ src, attributes, nonce, integrity, timeout, maxRetries });
  while (!signal.aborted) {
    const token = await fields.collectToken({ config, signal });
    latest.current.onToken(token);
  }
}
