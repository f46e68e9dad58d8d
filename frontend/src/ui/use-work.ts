import { useState } from "react";
import { sentence } from "../backend/error";

export interface Work {
  /** It goes on. */
  busy: boolean;
  /** Why the last one failed, as a sentence; "" while none has. */
  error: string;
  setError: (error: string) => void;
  /** Runs it, and answers whether it went well. While one goes on another is not begun. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Something that a person asks of the app, which takes a while and may be refused. */
export function useWork(): Work {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const run = async (work: () => Promise<unknown>) => {
    if (busy) return false;
    setBusy(true);
    setError("");
    try {
      await work();
      return true;
    } catch (thrown) {
      setError(sentence(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, setError, run };
}
