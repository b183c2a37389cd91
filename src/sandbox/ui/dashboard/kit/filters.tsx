import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, Select } from './forms.tsx';
import { navigate, replaceQuery, useRoute, withQuery } from './route.ts';

/** A row of filters. The URL holds their values. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  return (
    <search class="filters" aria-label="Filters">
      {children}
    </search>
  );
}

/** The debounce time of text filters, in milliseconds. */
const rest = 200;

interface FilterProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
}

/** A text to search for. */
export function TextFilter({
  name,
  label,
  placeholder,
}: FilterProps & { readonly placeholder?: string | undefined }) {
  const { query } = useRoute();
  const current = query.get(name) ?? '';
  const [text, setText] = useState(current);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Back and forward change the address, and with it the text.
  useEffect(() => setText(current), [current]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => replaceQuery({ [name]: value }), rest);
  };
  return <Field type="search" label={label} value={text} onInput={type} placeholder={placeholder} />;
}

/** A choice among some values, or all. */
export function SelectFilter({
  name,
  label,
  options,
}: FilterProps & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  const { query } = useRoute();
  const choose = (value: string): void => navigate(withQuery({ [name]: value }));
  return (
    <Select
      label={label}
      value={query.get(name) ?? ''}
      onChange={choose}
      options={[['', 'All'], ...options]}
    />
  );
}

interface PagerProps {
  /** Where the next page begins: the id of the last row; `undefined` where there are no older rows. */
  readonly older: string | undefined;
  /** The parameter of the address. */
  readonly name: string;
}

/** Links to older rows, and back to the newest. */
export function Pager({ older, name }: PagerProps) {
  const { query } = useRoute();
  if (older === undefined && !query.has(name)) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {query.has(name) && <a href={withQuery({ [name]: undefined })}>Newest</a>}
      {older !== undefined && <a href={withQuery({ [name]: older })}>Older</a>}
    </nav>
  );
}
