import type { ComponentProps, ReactNode, Ref } from "react";
import { composing } from "../lib/keys";
import { Icon, type IconName } from "./icon";
import { Kbd } from "./kbd";

export interface FieldProps extends Omit<ComponentProps<"input">, "ref"> {
  icon?: IconName;
  /** Stands at the end, inside the frame. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A text field of one line in the common frame. */
export function Field({ icon, end, className, ...rest }: FieldProps) {
  return (
    <span className={className ? `field ${className}` : "field"}>
      {icon && <Icon name={icon} />}
      <input type="text" autoComplete="off" spellCheck={false} {...rest} />
      {end}
    </span>
  );
}

export interface AreaProps extends Omit<ComponentProps<"textarea">, "onChange"> {
  id: string;
  label: string;
  /** What is typed is for a machine: no spelling, every character of one width. */
  mono?: boolean;
  onText: (text: string) => void;
}

/** A field of several lines and its label: one row of a form. */
export function Area({ id, label, mono, onText, ...rest }: AreaProps) {
  return (
    <>
      <label htmlFor={id} className="form-top">
        {label}
      </label>
      <textarea
        id={id}
        className={mono ? "area mono" : "area"}
        rows={3}
        spellCheck={mono ? false : undefined}
        onChange={(event) => onText(event.target.value)}
        {...rest}
      />
    </>
  );
}

export interface SearchProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Key cap of the key that focuses it. */
  hotkey?: string;
  ref?: Ref<HTMLInputElement>;
  className?: string;
  onKeyDown?: ComponentProps<"input">["onKeyDown"];
}

/** A search field. Esc clears it first; only an empty one lets Esc through to what is around it. */
export function Search({ label, value, onChange, hotkey, ref, className, onKeyDown }: SearchProps) {
  return (
    <Field
      ref={ref}
      icon="search"
      className={className}
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && value !== "" && !composing(event)) {
          event.stopPropagation();
          event.nativeEvent.stopImmediatePropagation();
          event.preventDefault();
          onChange("");
          return;
        }
        onKeyDown?.(event);
      }}
      end={hotkey && <Kbd keys={value === "" ? hotkey : "Esc"} />}
    />
  );
}
