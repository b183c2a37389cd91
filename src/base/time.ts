/** A second in ms. */
export const second = 1000;
/** A minute in ms. */
export const minute = 60 * second;
/** An hour in ms. */
export const hour = 60 * minute;
/** A day in ms. */
export const day = 24 * hour;
