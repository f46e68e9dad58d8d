/** What a bound method's error becomes. `code` is a stable word, `message` a sentence. */
export class BackendError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "BackendError";
    this.code = code;
  }
}

/**
 * Reads whatever a bound method rejected with. The Go side puts one JSON object into the error's
 * text (Wails v2.16.0 passes nothing else on); any other text is shown as it is.
 */
export function toBackendError(thrown: unknown): BackendError {
  if (thrown instanceof BackendError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) {
      const { code, message } = parsed as { code?: unknown; message?: unknown };
      if (typeof code === "string" && typeof message === "string") return new BackendError(code, message);
    }
  } catch {
    // Not ours: a refusal of Wails itself, such as a wrong argument type.
  }
  return new BackendError("failed", text);
}

/** The sentence of any error, for a person. */
export function sentence(thrown: unknown): string {
  return toBackendError(thrown).message;
}
