import { useEffect, useId, useState } from 'preact/hooks';
import type { Found } from '../control/search.ts';
import { get } from './kit/api.ts';
import { Dialog } from './kit/controls.tsx';
import { navigate } from './kit/route.ts';
import { words } from './kit/values.tsx';

interface Answer {
  readonly results: readonly Found[];
  /** The screen reader's announcement; empty before a search. */
  readonly message: string;
}

const nothing: Answer = { results: [], message: '' };
const limit = 12;
/** The debounce time of a search, in milliseconds. */
const rest = 150;

async function search(text: string): Promise<Answer> {
  const { data } = await get<{ data: readonly Found[] }>(
    `search?${new URLSearchParams({ q: text, limit: String(limit) })}`,
  );
  const message = data.length === 0 ? 'Nothing found.' : `${data.length} found`;
  return { results: data, message };
}

/** Searches when typing pauses. It ignores the response to an older text. */
function useSearch(text: string): Answer {
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (text === '') {
      setFound(nothing);
      return;
    }
    let isCurrent = true;
    const show = (answer: Answer): void => {
      if (isCurrent) setFound(answer);
    };
    const timer = setTimeout(() => {
      search(text).then(show, (error: Error) => show({ results: [], message: error.message }));
    }, rest);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The attributes of a combobox. The types ask for a `list`, which the results replace. */
function combobox(isOpen: boolean) {
  return { role: 'combobox', list: undefined, 'aria-expanded': isOpen } as const;
}

/** Searches operations, objects, events and deliveries. The arrow keys select a result, and Enter opens it. */
function SearchDialog({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { results, message } = useSearch(text.trim());
  const id = useId();
  useEffect(() => setChosen(0), [results]);
  const open = (result: Found | undefined): void => {
    if (result === undefined) return;
    close();
    navigate(result.href);
  };
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.key === 'Enter') open(results[chosen]);
    else if (step !== undefined && results.length > 0)
      setChosen((chosen + step + results.length) % results.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" close={close} place="top">
      <input
        {...combobox(results.length > 0)}
        // A field of the type `search` would use the first Escape to clear itself.
        type="text"
        inputMode="search"
        aria-label="Search"
        aria-controls={`${id}-results`}
        aria-activedescendant={results.length > 0 ? `${id}-${chosen}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        placeholder="Order, id, e-mail, name or amount"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      <div role="listbox" id={`${id}-results`} aria-label="Results" class="results">
        {results.map((result, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field handles the keys
          <div
            key={`${result.kind} ${result.id}`}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            onClick={() => open(result)}
          >
            <span class="soft">{words(result.kind)}</span>
            <strong>{result.title}</strong>
            <span class="soft">{result.detail}</span>
          </div>
        ))}
      </div>
      <p class="soft" role="status">
        {message}
      </p>
    </Dialog>
  );
}

/** Whether a key event is text input. */
function isTyped({ target }: Event): boolean {
  return target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
}

function opensSearch(event: KeyboardEvent): boolean {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) return true;
  return event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyped(event);
}

/** Opens the search: by a button, `/`, and Ctrl or Command with K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!opensSearch(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" class="button search-button" onClick={() => setOpen(true)}>
        Search <kbd>/</kbd>
      </button>
      {isOpen && <SearchDialog close={() => setOpen(false)} />}
    </>
  );
}
