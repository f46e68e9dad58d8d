/** What work answers, or a rejection with `reason` after `ms`: no wait is without an end. */
export function within<T>(work: Promise<T>, ms: number, reason: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(reason)), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
