/** Shows the headers of a message, collapsed at first. */
export function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const names = Object.entries(headers);
  if (names.length === 0) return null;
  return (
    <details class="headers">
      <summary>Headers ({names.length})</summary>
      <dl>
        {names.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
