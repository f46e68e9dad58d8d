import * as Card from "@radix-ui/react-hover-card";
import { type FocusEvent, type ReactNode, useState } from "react";

export interface HoverCardProps {
  /** The one control that it belongs to. Opens on hover and on keyboard focus. */
  trigger: ReactNode;
  children: ReactNode;
  className?: string;
  /** While true the card stays closed: a dialog of the same control is open. */
  off?: boolean;
}

/** A card under a control. Nothing in it needs a click: what it says is also behind the control. */
export function HoverCard({ trigger, children, className, off }: HoverCardProps) {
  const [open, setOpen] = useState(false);
  // A click on something else may give the focus back: only the keyboard asks for the card.
  const focused = (event: FocusEvent) => {
    if (!event.target.matches(":focus-visible")) event.preventDefault();
  };
  return (
    <Card.Root openDelay={150} closeDelay={100} open={open && !off} onOpenChange={setOpen}>
      <Card.Trigger asChild onFocus={focused}>
        {trigger}
      </Card.Trigger>
      <Card.Portal>
        <Card.Content
          className={className ? `pop ${className}` : "pop"}
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Card.Content>
      </Card.Portal>
    </Card.Root>
  );
}
