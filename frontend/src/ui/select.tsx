import * as Radix from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import { Icon } from "./icon";

export interface SelectProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: ReactNode; note?: ReactNode }[];
  onChange: (value: V) => void;
  /** With a border, as in a form. */
  boxed?: boolean;
  /** The label is only for screen readers. */
  labelHidden?: boolean;
  id?: string;
}

/** One choice of a few, shown as "label value". */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, value, options, onChange, boxed, labelHidden, id } = props;
  const chosen = options.find((option) => option.value === value);
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <button type="button" id={id} className={boxed ? "select boxed" : "select"}>
          <span className={labelHidden ? "sr" : "select-label"}>{label}</span>
          <span className="select-value">{chosen?.label ?? value}</span>
          <Icon name="updown" />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="pop menu" align="start" sideOffset={4} collisionPadding={8}>
          <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as V)}>
            {options.map((option) => (
              <Radix.RadioItem key={option.value} value={option.value} className="item">
                <span className="tick">
                  <Radix.ItemIndicator>
                    <Icon name="check" />
                  </Radix.ItemIndicator>
                </span>
                <span className="cut grow">{option.label}</span>
                {option.note && <span className="faint small">{option.note}</span>}
              </Radix.RadioItem>
            ))}
          </Radix.RadioGroup>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
