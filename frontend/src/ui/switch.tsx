export type SwitchProps = {
  on: boolean;
  onSwitch: () => void;
  id?: string;
  autoFocus?: boolean;
} & ({ label: string; labelledBy?: never } | { labelledBy: string; label?: never });

/** A choice that holds at once. It is named by its own label, or by the id of a visible one. */
export function Switch({ on, onSwitch, id, autoFocus, label, labelledBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      id={id}
      // biome-ignore lint/a11y/noAutofocus: only where the focus was before.
      autoFocus={autoFocus}
      className="switch"
      aria-checked={on}
      aria-label={label}
      aria-labelledby={labelledBy}
      onClick={onSwitch}
    />
  );
}
