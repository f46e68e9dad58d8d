// What a test has to undo, undone in reverse order: Node's own hooks run in the order they were
// given, so that a folder would go before the app that works in it.
const stacks = new WeakMap();

/** Undoes something when the test ends. Everything is tried; the first error fails the test. */
export function atEnd(t, undo) {
  let stack = stacks.get(t);
  if (!stack) {
    stack = [];
    stacks.set(t, stack);
    t.after(() => unwind(stack));
  }
  stack.push(undo);
}

async function unwind(stack) {
  const errors = [];
  while (stack.length > 0) {
    try {
      await stack.pop()();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
