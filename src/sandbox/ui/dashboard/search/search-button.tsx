import { useEffect, useState } from 'preact/hooks';
import { SearchDialog } from './search-dialog.tsx';

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
