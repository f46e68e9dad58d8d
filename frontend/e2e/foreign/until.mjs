/** Waits until what() gives something true, at most ms. */
export async function until(what, ms = 20_000) {
  const end = Date.now() + ms;
  for (;;) {
    const got = await what();
    if (got) return got;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
