import * as Radix from "@radix-ui/react-dropdown-menu";
import { createContext, type ReactNode, useCallback, useContext, useRef } from "react";
import { Icon, type IconName } from "./icon";

export interface MenuProps {
  /** The one control that opens it. */
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  className?: string;
}

// What was chosen, to be run by the menu.
const Chosen = createContext<(run: () => void) => void>(() => {});

/** A menu of actions under a control: arrows, Home, End, letters, Enter, Esc. */
export function Menu({ trigger, children, align = "start", className }: MenuProps) {
  const chosen = useRef<(() => void) | null>(null);
  const choose = useCallback((run: () => void) => {
    chosen.current = run;
  }, []);
  // Radix gives the focus back right after this.
  const closed = () => {
    const run = chosen.current;
    chosen.current = null;
    if (run) setTimeout(run, 0);
  };
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={className ? `pop menu ${className}` : "pop menu"}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={closed}
        >
          <Chosen value={choose}>{children}</Chosen>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  onSelect: () => void;
  icon?: IconName;
  keys?: ReactNode;
  disabled?: boolean;
  current?: boolean;
  children: ReactNode;
}

/** One action. It runs once the menu is gone and the focus is back on what opened it. */
export function MenuItem({ onSelect, icon, keys, disabled, current, children }: MenuItemProps) {
  const choose = useContext(Chosen);
  return (
    <Radix.Item
      className="item"
      onSelect={() => choose(onSelect)}
      disabled={disabled}
      aria-current={current || undefined}
    >
      {icon && <Icon name={icon} />}
      <span className="cut grow">{children}</span>
      {keys && <span className="end">{keys}</span>}
    </Radix.Item>
  );
}

export function MenuRule() {
  return <Radix.Separator className="rule menu-rule" />;
}

export function MenuHead({ children }: { children: ReactNode }) {
  return <Radix.Label className="group">{children}</Radix.Label>;
}
