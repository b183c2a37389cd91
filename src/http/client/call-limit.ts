/** Bounds how many calls of a client are under way at once. */
export class CallLimit {
  readonly max: number;
  #underWay = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Whether one more call is one too many. */
  get isReached(): boolean {
    return this.#underWay >= this.max;
  }

  enter(): void {
    this.#underWay += 1;
  }

  leave(): void {
    this.#underWay -= 1;
  }
}
