import {
  BrowserError,
  type CardChange,
  type CardFields,
  type CardFieldsOptions,
  type CollectOptions,
  loadCardFields,
} from 'payments-client/browser';
import { type RefCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { PaymentsContext } from './payments-context.ts';

/** What {@link useCardFields} needs. */
export interface UseCardFieldsOptions
  extends Omit<CardFieldsOptions, 'src'>,
    Pick<CollectOptions, 'appearance' | 'button' | 'config' | 'onReady' | 'onChange'> {
  /** Where the script is. Default: all that the nearest `PaymentsProvider` says of the script. */
  readonly src?: string | undefined;
  /**
   * Called with the token of a card. Return a promise of your payment: until it ends no other card is taken, whatever the buyer
   * does. Afterwards the next card is, so leave the page or hide the fields when the order is paid.
   */
  readonly onToken: (token: string) => unknown;
  /**
   * Called when there will be no token, and with `callback_failed` when `onToken` threw or rejected. The fields go on after that
   * one; after any other, give the component another `key` to begin anew. Default: the page's own error handling.
   */
  readonly onError?: ((error: BrowserError) => void) | undefined;
  /** Whether the fields take no card now. A token that comes nevertheless is dropped. Default: false. */
  readonly disabled?: boolean | undefined;
}

/** What the shop's own button does with card fields. Each does nothing unless they are ready. */
export interface CardFieldsControls {
  /** Takes the card as it is typed in; `onToken` gets its token. `onError` hears `not_supported` where the script cannot do it. */
  submit(): void;
  /** Empties the fields. `onError` hears `not_supported` where the script cannot do it. */
  clear(): void;
  /** Puts the focus on the first field. `onError` hears `not_supported` where the script cannot do it. */
  focus(): void;
}

/** Where card fields stand: `busy` while `onToken` is under way, `failed` after an error that ends them. */
export type CardFieldsStatus = 'loading' | 'ready' | 'busy' | 'failed';

/** What {@link useCardFields} gives. */
export interface CardFieldsState extends CardFieldsControls {
  /** Goes to the element that the fields appear in. */
  readonly ref: RefCallback<HTMLElement>;
  /** Where they stand. */
  readonly status: CardFieldsStatus;
  /** How far the buyer is; as if nothing were typed in, where the script does not say (*inferred*). */
  readonly change: CardChange;
}

const untouched: CardChange = { complete: false, empty: true, brand: undefined };

/** Keeps the newest value, since callbacks may be others at each rendering. */
function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Calls `onError`. What is thrown there, and what nobody listens to, goes where the page's own errors go. */
function report({ onError = reportError }: UseCardFieldsOptions, error: BrowserError): void {
  try {
    onError(error);
  } catch (thrown) {
    reportError(thrown);
  }
}

/** Calls `onToken` and waits for its end. It never rejects. */
async function handOver(latest: { readonly current: UseCardFieldsOptions }, token: string): Promise<void> {
  try {
    await latest.current.onToken(token);
  } catch (cause) {
    const message = 'onToken: expected it to end without an error, but it threw or rejected: see the cause.';
    report(latest.current, new BrowserError('callback_failed', message, cause));
  }
}

function scriptOf(options: UseCardFieldsOptions, provided: CardFieldsOptions | undefined): object {
  if (options.src === undefined) return provided ?? {};
  const { src, attributes, nonce, integrity, timeout, maxRetries } = options;
  return { src, attributes, nonce, integrity, timeout, maxRetries };
}

/** Shows fields that look disabled and take no input, whatever the script knows. */
function useDisabled(element: HTMLElement | null, isDisabled: boolean): void {
  useEffect(() => {
    if (element === null || !isDisabled) return undefined;
    element.inert = true;
    element.style.opacity = '0.5';
    return () => {
      element.inert = false;
      element.style.opacity = '';
    };
  }, [element, isDisabled]);
}

/**
 * Shows the service's card fields in an element of yours, for a shop that has its own pay button. It takes one card at a time.
 * On a server it loads nothing.
 *
 * @example
 * const card = useCardFields({ button: false, onToken: (token) => pay(token), onError: report });
 * return (
 *   <>
 *     <div ref={card.ref} />
 *     <button type="button" disabled={card.status !== 'ready'} onClick={card.submit}>Pay</button>
 *   </>
 * );
 */
export function useCardFields(options: UseCardFieldsOptions): CardFieldsState {
  const provided = useContext(PaymentsContext).cardFields;
  const [element, ref] = useState<HTMLElement | null>(null);
  const [status, setStatus] = useState<CardFieldsStatus>('loading');
  const [change, setChange] = useState(untouched);
  const latest = useLatest(options);
  const fields = useRef<CardFields | undefined>(undefined);
  /** What `onToken` is doing. It outlives a change of options, so every round waits for it first. */
  const work = useRef(Promise.resolve());
  /** The element that `onReady` was called for. */
  const readyIn = useRef<HTMLElement | null>(null);
  // Options are written anew at each rendering, so they are compared by what is in them.
  const script = JSON.stringify(scriptOf(options, provided));
  const look = JSON.stringify([options.appearance, options.button]);
  useDisabled(element, options.disabled === true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another look is given to the script by another call.
  useEffect(() => {
    if (element === null) return undefined;
    const shown = new AbortController();
    const { signal } = shown;
    const collect = (loaded: CardFields): Promise<string> => {
      const { appearance, button, config } = latest.current;
      const onReady = () => {
        fields.current = loaded;
        setStatus('ready');
        if (readyIn.current !== element) latest.current.onReady?.();
        readyIn.current = element;
      };
      const onChange = (next: CardChange) => {
        setChange(next);
        latest.current.onChange?.(next);
      };
      return loaded.collectToken({ target: element, appearance, button, config, onReady, onChange, signal });
    };
    const takeCards = async () => {
      const loaded = await loadCardFields(JSON.parse(script));
      for (;;) {
        await work.current;
        if (signal.aborted) return;
        const token = await collect(loaded);
        if (signal.aborted || latest.current.disabled === true) continue;
        fields.current = undefined;
        setStatus('busy');
        work.current = handOver(latest, token);
      }
    };
    takeCards().catch((error: BrowserError) => {
      if (signal.aborted) return;
      setStatus('failed');
      report(latest.current, error);
    });
    return () => {
      shown.abort();
      fields.current = undefined;
    };
  }, [element, script, look]);

  const controls = useMemo(() => {
    const control = (name: keyof CardFieldsControls) => () => {
      try {
        if (latest.current.disabled !== true) fields.current?.[name]();
      } catch (error) {
        if (!(error instanceof BrowserError)) throw error;
        report(latest.current, error);
      }
    };
    return { submit: control('submit'), clear: control('clear'), focus: control('focus') };
  }, [latest]);
  return { ref, status: element === null ? 'loading' : status, change, ...controls };
}
