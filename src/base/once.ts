/** Returns a function that makes a value at its first call, and returns the same one from then on. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
