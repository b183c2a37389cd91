/** The address of the script that runs now. A page loads it by an element, since a module has no such address. */
export function scriptAddress(name: string): string {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement && currentScript.src !== '') return currentScript.src;
  throw new Error(
    `${name}: expected to be loaded by <script src="…/js/${name}">, got another way. Use that element.`,
  );
}
