// What a command printed, as text: a terminal's own controls are left out, everything else stays.

// ECMA-48: control sequences (colours, cursor), command strings (titles, links) and single escapes.
// A command string ends within its line, so that it cannot swallow lines.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b[\]P^_X]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]{1,2}[0-~]|\x1b[0-OQ-WYZ`-~=>]/g;

/**
 * Leaves escape sequences out and turns the carriage return of a progress bar into a line break, so
 * that nothing that was printed is hidden under what came later. Other controls stay, to be marked.
 */
export function printed(text: string): string {
  return text.replace(sequences, "").replace(/\r+\n/g, "\n").replace(/\r+/g, "\n");
}
