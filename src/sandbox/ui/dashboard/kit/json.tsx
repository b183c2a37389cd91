import { Copy } from './copy.tsx';
import { addressOf } from './id-address.ts';
import { Scroll } from './scroll.tsx';
import { withoutSecrets } from './secrets.ts';

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
