export type SwitchProps = {
  on: boolean;
  onSwitch: () => void;
  id?: string;
} & ({ label: string; labelledBy?: never } | { labelledBy: string; label?: never });

/** A choice that holds at once. It is named by its own label, or by the id of a visible one. */
export function Switch({ on, onSwitch, id, label, labelledBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      id={id}
      className="switch"
      aria-checked={on}
      aria-label={label}
      aria-labelledby={labelledBy}
      onClick={onSwitch}
    />
  );
}
