import * as Radix from "@radix-ui/react-dialog";
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useRef } from "react";
import { words } from "../words";
import { IconButton } from "./button";
import { focusStart } from "./focus-start";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Hides the bar with title and cross; the title is then for screen readers only. */
  bare?: boolean;
  /** Stands in the bar between title and cross. */
  bar?: ReactNode;
  children: ReactNode;
  className?: string;
  scrimClassName?: string;
  /** Called before Esc closes; prevent its default to keep the dialog open. */
  onEscape?: (event: KeyboardEvent) => void;
  /** Keys of the whole dialog, also while the focus is on none of its controls. */
  onKeyDown?: (event: ReactKeyboardEvent<HTMLDivElement>) => void;
  /** Where the focus goes at first; else to the first control. */
  initialFocus?: () => HTMLElement | null;
}

const firstControl =
  ":scope > :not(header) :is(input, textarea, select, button, [tabindex='0']):not(:disabled)";

/** A modal dialog: focus is trapped, Esc closes it, and focus returns to where it came from. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, bare, bar, children, className, scrimClassName } = props;
  const cameFrom = useRef<Element | null>(null);
  // To what the dialog is about rather than to its cross, whose tooltip would open as well.
  const focus = (event: Event) => {
    const box = event.currentTarget as HTMLElement;
    cameFrom.current = document.activeElement;
    const target =
      props.initialFocus?.() ?? (bare ? null : (box.querySelector<HTMLElement>(firstControl) ?? box));
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
  // Radix knows only a trigger of its own; here dialogs open by keys and from menus as well.
  const back = (event: Event) => {
    event.preventDefault();
    const from = cameFrom.current;
    if (!from?.isConnected || from === document.body) focusStart();
    else (from as HTMLElement).focus();
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimClassName ? `scrim ${scrimClassName}` : "scrim"}>
          <Radix.Content
            className={className ? `dialog ${className}` : "dialog"}
            aria-describedby={undefined}
            onOpenAutoFocus={focus}
            onCloseAutoFocus={back}
            onKeyDown={props.onKeyDown}
            onEscapeKeyDown={(event) => {
              if (event.isComposing) event.preventDefault();
              else props.onEscape?.(event);
            }}
          >
            {bare ? (
              <Radix.Title className="sr">{title}</Radix.Title>
            ) : (
              <header className="bar">
                <Radix.Title asChild>
                  <h2>{title}</h2>
                </Radix.Title>
                <div className="grow row">{bar}</div>
                <Radix.Close asChild>
                  <IconButton icon="x" label={words.close} />
                </Radix.Close>
              </header>
            )}
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
