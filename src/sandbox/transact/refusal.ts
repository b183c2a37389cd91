/**
 * A form that cannot be processed: it is answered with `response=3`. Thrown within a unit of work, so that nothing of
 * the work counts.
 */
export class FormRefusal extends Error {
  /** What was expected, in the words of `responsetext`. */
  constructor(message: string) {
    super(message);
    this.name = 'FormRefusal';
  }
}

/** Refuses a form. */
export function refuse(message: string): never {
  throw new FormRefusal(message);
}
