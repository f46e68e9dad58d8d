import * as Tooltip from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";

/** Must stand once around the app. */
export const TipProvider = Tooltip.Provider;

/** A short text beside a control on hover and focus. `children` is the one control. */
export function Tip({ text, keys, children }: { text: ReactNode; keys?: ReactNode; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="pop tip" sideOffset={4} collisionPadding={8}>
          {text}
          {keys}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
