/** Returns the path of a checkout session's page. */
export function checkoutPath<Id extends string>(id: Id): `/checkout/${Id}` {
  return `/checkout/${id}`;
}
