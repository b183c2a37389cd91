/** The number of buckets of a window. More buckets are more exact, and cost more. */
const bucketsPerWindow = 60;

/** Returns the width of a window's buckets, in ms. */
export function bucketWidth(windowMs: number): number {
  return Math.ceil(windowMs / bucketsPerWindow);
}

/** Returns the start of the bucket that contains a time. */
export function bucketStart(time: number, windowMs: number): number {
  const width = bucketWidth(windowMs);
  return Math.floor(time / width) * width;
}

/** Returns the start of the oldest bucket that overlaps the window. An attempt exactly as old as the window is outside it. */
export function firstBucket(now: number, windowMs: number): number {
  return bucketStart(Math.floor(now) - windowMs + 1, windowMs);
}

/** Returns when the last possible attempt of a bucket, and so the bucket, has left the window. */
export function bucketEnd(start: number, windowMs: number): number {
  return start + bucketWidth(windowMs) - 1 + windowMs;
}
