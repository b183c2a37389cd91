/** Each TypeScript that declarations are compiled with, by the name that it is installed under. */
export const compilers: Readonly<Record<string, string>> = {
  ts54: 'typescript@5.4',
  ts59: 'typescript@5.9',
  ts6: 'typescript@6',
  ts7: 'typescript@7',
};
