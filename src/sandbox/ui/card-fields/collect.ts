import { scriptAddress } from '../frames/script-address.ts';
import { type CollectOptions, placeOf, readOptions } from './card-fields-options.ts';
import { CardFrame } from './card-frame.ts';

const script = scriptAddress('CollectJS.js');

/** The controls of configured fields. */
interface Controls {
  /** Resolves when the buyer can type. */
  readonly ready: Promise<void>;
  submit(): void;
  clear(): void;
  focus(): void;
}

/** The visible frames by element; `null` is the dialog. */
const shown = new Map<Element | null, CardFrame>();

function frameAddress(): URL {
  const address = new URL('../browser/card-fields', script);
  address.searchParams.set('origin', location.origin);
  return address;
}

/** Drops frames that the page has removed from the document. */
function dropDetached(): void {
  for (const [place, fields] of shown) {
    if (fields.isShown) continue;
    fields.close();
    shown.delete(place);
  }
}

function show(options: CollectOptions): CardFrame {
  const place = placeOf(options.target);
  dropDetached();
  const known = shown.get(place);
  if (known !== undefined) {
    known.configure(options);
    return known;
  }
  const fields = new CardFrame(frameAddress(), place, options);
  shown.set(place, fields);
  return fields;
}

/** Waits for the document to load: the element may not exist before. */
function showWhenLoaded(options: CollectOptions): Promise<CardFrame> {
  if (document.readyState !== 'loading') return Promise.resolve(show(options));
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(show(options)), { once: true });
  });
}

/**
 * Shows the card fields, and sets the callback that receives the tokens. A later call replaces the callback.
 *
 * @throws TypeError without a callback, or for an invalid target.
 */
function configure(given: unknown): Controls {
  const fields = showWhenLoaded(readOptions(given));
  const sender = (kind: 'submit' | 'clear' | 'focus') => (): void => {
    void fields.then(({ frame }) => frame.send({ kind }));
  };
  return {
    ready: fields.then(({ frame }) => frame.ready),
    submit: sender('submit'),
    clear: sender('clear'),
    focus: () => {
      // A document can focus one of its fields only while it has the focus itself.
      void fields.then(({ frame }) => frame.element.focus());
      sender('focus')();
    },
  };
}

Object.assign(window, { CollectJS: { configure } });
