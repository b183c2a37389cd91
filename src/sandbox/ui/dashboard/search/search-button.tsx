/** Opens the search. */
export function SearchButton() {
  return null;
}
