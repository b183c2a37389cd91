/** A long name without blanks, which may wrap after its dots, slashes and underscores. */
export function Breakable({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(?<=[./_])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        <span key={index}>
          {part}
          <wbr />
        </span>
      ))}
    </>
  );
}
