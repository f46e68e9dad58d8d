export interface ExplorerProps {
  /** The session whose attachment is shown. */
  session: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Holds the place of the MCP explorer. */
export function Explorer(_: ExplorerProps) {
  return null;
}
