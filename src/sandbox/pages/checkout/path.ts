/** Where the page of a checkout session is. */
export function checkoutPath<Id extends string>(id: Id): `/checkout/${Id}` {
  return `/checkout/${id}`;
}
