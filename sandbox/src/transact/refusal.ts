/**
 * A form that cannot be processed: the response has `response=3`. Thrown within a unit of work, it rolls the work
 * back.
 */
export class FormRefusal extends Error {
  /** @param message What was expected, as the text of `responsetext`. */
  constructor(message: string) {
    super(message);
    this.name = 'FormRefusal';
  }
}

export function refuse(message: string): never {
  throw new FormRefusal(message);
}
