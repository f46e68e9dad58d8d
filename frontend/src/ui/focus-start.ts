/** Gives the focus to where the work begins, when what had it is gone or about to go. */
export function focusStart() {
  const start =
    document.getElementById("composer") ?? document.querySelector<HTMLElement>("main .bar > .btn:last-child");
  start?.focus();
}
