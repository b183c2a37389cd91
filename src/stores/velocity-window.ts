/** How many parts a window has at most. More are more exact, and cost more. */
const bucketsPerWindow = 60;

/** How long a bucket of a window is, in ms. */
export function bucketWidth(windowMs: number): number {
  return Math.ceil(windowMs / bucketsPerWindow);
}

/** When the bucket of a time starts. */
export function bucketStart(time: number, windowMs: number): number {
  const width = bucketWidth(windowMs);
  return Math.floor(time / width) * width;
}

/** When the oldest bucket starts that has a part in the window. The window leaves out what is exactly as old as it is long. */
export function firstBucket(now: number, windowMs: number): number {
  return bucketStart(Math.floor(now) - windowMs + 1, windowMs);
}

/** When the last attempt that a bucket can have has left the window, and the bucket with it. */
export function bucketEnd(start: number, windowMs: number): number {
  return start + bucketWidth(windowMs) - 1 + windowMs;
}
