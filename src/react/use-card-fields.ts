import {
  BrowserError,
  type CardChange,
  type CardFieldsOptions,
  type CollectOptions,
  loadCardFields,
} from 'payments-client/browser';
import { type RefCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { PaymentsContext } from './payments-context.ts';

type LoadedCardFields = Awaited<ReturnType<typeof loadCardFields>>;

/** Options of {@link useCardFields}. */
export type UseCardFieldsOptions = Omit<CardFieldsOptions, 'src'> &
  Pick<CollectOptions, 'appearance' | 'button' | 'config' | 'onReady' | 'onChange'> & {
    /** The URL of the script. Default: the script options of the nearest `PaymentsProvider`. */
    readonly src?: string | undefined;
    /**
     * Called with the token of a card. Return a promise of your payment: until it resolves or rejects, the fields accept no
     * other card, and neither do fields that mount meanwhile, with a new `key` or elsewhere in the page. After that they accept
     * the next card, so leave the page or hide the fields when the order is paid. A promise that never settles locks them until
     * the page is reloaded.
     */
    readonly onToken: (token: string) => unknown;
    /**
     * Called when there will be no token, with `callback_failed` when `onToken` threw or rejected, and with the error of a
     * control. When the status is `failed`, give the component another `key` to restart. Otherwise the fields continue.
     * Default: the page's own error handling.
     */
    readonly onError?: ((error: BrowserError) => void) | undefined;
    /** Whether the fields accept no card now. Drops a token that arrives anyway. Default: false. */
    readonly disabled?: boolean | undefined;
  };

/** Controls for the shop's own button. Each does nothing until the fields are ready. */
export interface CardFieldsControls {
  /** Submits the typed card; `onToken` receives its token. Calls `onError` with `not_supported` if the script cannot do it. */
  submit(): void;
  /** Empties the fields. Calls `onError` with `not_supported` if the script cannot do it. */
  clear(): void;
  /** Focuses the first field. Calls `onError` with `not_supported` if the script cannot do it. */
  focus(): void;
}

/** The status of the card fields: `busy` while an `onToken` that they wait for runs, `failed` after an error that ends them. */
type CardFieldsStatus = 'loading' | 'ready' | 'busy' | 'failed';

/** The result of {@link useCardFields}. */
type CardFieldsState = CardFieldsControls & {
  /** The ref of the element that contains the fields. */
  readonly ref: RefCallback<HTMLElement>;
  /** The status of the fields. */
  readonly status: CardFieldsStatus;
  /** The buyer's progress; always empty if the script does not report it (*inferred*). */
  readonly change: CardChange;
};

const untouched: CardChange = { complete: false, empty: true, brand: undefined };

/** Keeps the newest value, since callbacks may change at each render. */
function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Calls `onError`. An error that it throws, or that has no handler, goes to the page's own error handling. */
function report({ onError = reportError }: UseCardFieldsOptions, error: BrowserError): void {
  try {
    onError(error);
  } catch (thrown) {
    reportError(thrown);
  }
}

/** Calls `onToken` and waits for it. Never rejects. */
async function handOver(latest: { readonly current: UseCardFieldsOptions }, token: string): Promise<void> {
  try {
    await latest.current.onToken(token);
  } catch (cause) {
    const message = 'onToken: expected no error, but it threw or rejected: see the cause.';
    report(latest.current, new BrowserError(message, { code: 'callback_failed', cause }));
  }
}

/** The payments under way in the page. They outlive their fields: new ones may be for the same order. */
const payments = /* @__PURE__ */ new Set<Promise<void>>();

/** Starts a payment with a token. Never rejects. */
async function pay(latest: { readonly current: UseCardFieldsOptions }, token: string): Promise<void> {
  const payment = handOver(latest, token);
  payments.add(payment);
  await payment;
  payments.delete(payment);
}

function scriptOf(options: UseCardFieldsOptions, provided: CardFieldsOptions | undefined): object {
  if (options.src === undefined) return provided ?? {};
  const { src, attributes, nonce, integrity, timeout, maxRetries } = options;
  return { src, attributes, nonce, integrity, timeout, maxRetries };
}

/** Makes the fields look disabled and accept no input, even if the script has no such feature. */
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
 * Shows the service's card fields in your element, for a shop with its own pay button. It takes one card at a time. On
 * a server it loads nothing.
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
  const fields = useRef<LoadedCardFields | undefined>(undefined);
  /** The running `onToken`. It outlives a change of options, so every round waits for it first. */
  const work = useRef(Promise.resolve());
  /** The element that `onReady` was called for. */
  const readyIn = useRef<HTMLElement | null>(null);
  // Options are new objects at each render, so they are compared by value.
  const script = JSON.stringify(scriptOf(options, provided));
  const look = JSON.stringify([options.appearance, options.button]);
  useDisabled(element, options.disabled === true);

  useEffect(() => {
    if (payments.size === 0) return;
    work.current = Promise.all(payments).then(() => {});
    setStatus('busy');
  }, []);

  useEffect(() => {
    if (element === null) return undefined;
    const shown = new AbortController();
    const { signal } = shown;
    const collect = (loaded: LoadedCardFields): Promise<string> => {
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
        work.current = pay(latest, token);
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
    // oxlint-disable-next-line react/exhaustive-deps -- another look is given to the script by another call.
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
