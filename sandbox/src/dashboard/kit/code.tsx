import type { ComponentChildren } from 'preact';
import { withoutSecrets } from './api.ts';
import { Copy } from './controls.tsx';
import { addressOf } from './values.tsx';

/** A preformatted text that scrolls, with the keyboard too. */
function Scroll({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard can scroll only an element that takes the focus
    <figure class="scroll" aria-label={name} tabIndex={0}>
      <pre>{children}</pre>
    </figure>
  );
}

/** Shows a named code sample. */
export function CodeText({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div class="code">
      <Copy text={text} label={`Copy ${name}`} />
      <Scroll name={`Code: ${name}`}>{text}</Scroll>
    </div>
  );
}

/** Formats a value as indented JSON without its secrets. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, withoutSecrets, 2) ?? '';
}

const token = /("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)/i;

/** Highlights a token, and links an id. */
function Token({ text }: { readonly text: string }) {
  if (text.endsWith(':')) return <span class="json-name">{text}</span>;
  if (!text.startsWith('"')) return <span class="json-value">{text}</span>;
  const id = text.slice(1, -1);
  const href = addressOf(id);
  if (href === undefined) return <span class="json-text">{text}</span>;
  return (
    <span class="json-text">
      "<a href={href}>{id}</a>"
    </span>
  );
}

/** Shows a JSON text with highlighting and links. */
function JsonText({ text, name = 'JSON' }: { readonly text: string; readonly name?: string | undefined }) {
  const parts = text.split(token);
  return (
    <div class="code">
      <Copy text={text} label={`Copy ${name}`} />
      <Scroll name={name}>
        {/* Every second part is a token: `split` keeps what the group matched. */}
        {parts.map((part, index) => (index % 2 === 0 ? part : <Token key={index} text={part} />))}
      </Scroll>
    </div>
  );
}

/** Shows a value as JSON. */
export function Json({ value, name }: { readonly value: unknown; readonly name?: string | undefined }) {
  return <JsonText text={jsonText(value)} name={name} />;
}

/** Shows a body: indented if it is JSON, else unchanged. */
export function Body({ text, name }: { readonly text: string | null; readonly name: string }) {
  if (text === null || text === '') return <p class="soft">No body.</p>;
  return <JsonText text={prettyOf(text)} name={name} />;
}

function prettyOf(text: string): string {
  try {
    return jsonText(JSON.parse(text));
  } catch {
    return text;
  }
}

interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the leaf fields of a value by path: `data.items[0].amount`. */
function fieldsOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item, index) => fieldsOf(item, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const prefix = path === '' ? '' : `${path}.`;
    return Object.entries(value).flatMap(([name, field]) =>
      fieldsOf(withoutSecrets(name, field), `${prefix}${name}`),
    );
  }
  return value === undefined || path === '' ? [] : [[path, JSON.stringify(value)]];
}

/** Returns the fields that differ between two objects. */
export function differencesOf(before: object | null, after: object | null): readonly Difference[] {
  const old = new Map(fieldsOf(before));
  const now = new Map(fieldsOf(after));
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((one) => one.before !== one.after);
}

interface DiffProps {
  /** The object before; `null` if it is new. */
  readonly before: object | null;
  /** The object after; `null` if it was removed. */
  readonly after: object | null;
}

/** Shows the changed fields of an object, each with its old and new value. */
export function Diff({ before, after }: DiffProps) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <p class="soft">No field changed.</p>;
  return (
    <ul class="diff">
      {differences.map(({ path, before: old, after: now }) => (
        <li key={path}>
          <code class="diff-path">{path}</code>
          {old !== undefined && <del>{old}</del>}
          {now !== undefined && <ins>{now}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** A long name without spaces, which may wrap after dots, slashes and underscores. */
export function Breakable({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(?<=[./_])/).map((part, index) => (
        <span key={index}>
          {part}
          <wbr />
        </span>
      ))}
    </>
  );
}
