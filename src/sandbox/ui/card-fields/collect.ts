import { scriptAddress } from '../frames/script-address.ts';
import { type CollectOptions, placeOf, readOptions } from './card-fields-options.ts';
import { CardFrame } from './card-frame.ts';

const script = scriptAddress('CollectJS.js');

/** What a page can do with the fields that it configured. */
interface Controls {
  /** Ends when the buyer can type. */
  readonly ready: Promise<void>;
  submit(): void;
  clear(): void;
  focus(): void;
}

/** What is shown, by its place; `null` is a dialog. */
const shown = new Map<Element | null, CardFrame>();

function frameAddress(): URL {
  const address = new URL('../browser/card-fields', script);
  address.searchParams.set('origin', location.origin);
  return address;
}

/** A page that is drawn again may have thrown frames away. */
function forgetHidden(): void {
  for (const [place, fields] of shown) {
    if (fields.isShown) continue;
    fields.close();
    shown.delete(place);
  }
}

function show(options: CollectOptions): CardFrame {
  const place = placeOf(options.target);
  forgetHidden();
  const known = shown.get(place);
  if (known !== undefined) {
    known.configure(options);
    return known;
  }
  const fields = new CardFrame(frameAddress(), place, options);
  shown.set(place, fields);
  return fields;
}

/** Before the page is read, the place may not be there yet. */
function showSoon(options: CollectOptions): Promise<CardFrame> {
  if (document.readyState !== 'loading') return Promise.resolve(show(options));
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(show(options)), { once: true });
  });
}

/**
 * Shows the card fields in a place, and says who gets the token of each card. Called again, it says who gets the next ones.
 *
 * @throws TypeError where there is no function to call, or the target is none.
 */
function configure(given: unknown): Controls {
  const fields = showSoon(readOptions(given));
  const tell = (kind: 'submit' | 'clear' | 'focus') => (): void => {
    void fields.then(({ frame }) => frame.tell({ kind }));
  };
  return {
    ready: fields.then(({ frame }) => frame.ready),
    submit: tell('submit'),
    clear: tell('clear'),
    focus: () => {
      // A document can put the focus on a field only while it has the focus itself.
      void fields.then(({ frame }) => frame.element.focus());
      tell('focus')();
    },
  };
}

Object.assign(window, { CollectJS: { configure } });
