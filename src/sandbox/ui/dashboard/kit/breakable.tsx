/** A long name without blanks, which may wrap after its dots, slashes and underscores. */
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
