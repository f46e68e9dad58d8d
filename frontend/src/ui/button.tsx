import type { ComponentProps, ReactNode, Ref } from "react";
import { Icon, type IconName } from "./icon";
import { Tip } from "./tip";

export interface ButtonProps extends Omit<ComponentProps<"button">, "ref"> {
  kind?: "plain" | "quiet" | "primary";
  small?: boolean;
  icon?: IconName;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a text. At most one `primary` in a view, none in a permission. */
export function Button({ kind = "plain", small, icon, className, children, ...rest }: ButtonProps) {
  const names = ["btn", kind === "plain" ? "" : `btn-${kind}`, small ? "btn-small" : "", className ?? ""];
  return (
    <button type="button" className={names.filter(Boolean).join(" ")} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  icon: IconName;
  /** What it does: the name for a screen reader and the text of the tooltip. */
  label: string;
  /** Key caps, shown in the tooltip. */
  keys?: ReactNode;
}

/** A square button that is only an icon; its name is in the tooltip. */
export function IconButton({
  icon,
  label,
  keys,
  small,
  className,
  kind = "quiet",
  ...rest
}: IconButtonProps) {
  const names = [
    "btn btn-icon",
    kind === "plain" ? "" : `btn-${kind}`,
    small ? "btn-small" : "",
    className ?? "",
  ];
  return (
    <Tip text={label} keys={keys}>
      <button type="button" aria-label={label} className={names.filter(Boolean).join(" ")} {...rest}>
        <Icon name={icon} />
      </button>
    </Tip>
  );
}
