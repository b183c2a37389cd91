/** Returns the URL of the running classic script. Pages load it by an element; only modules have `import.meta.url`. */
export function scriptAddress(name: string): string {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement && currentScript.src !== '') return currentScript.src;
  throw new Error(
    `${name}: expected to be loaded by <script src="…/js/${name}">, got another way. Use that element.`,
  );
}
