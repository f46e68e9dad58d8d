// Every sentence and label of the window but the explorer's (features/explorer/words.ts). Sentence
// case, present tense, a full stop in sentences and none in labels.

export const words = {
  app: "Kandev Desktop",
  close: "Close",
  cancel: "Cancel",
  copied: "Copied",
  copyFailed: "Copying failed. Select the text and copy it with the keyboard.",
  loading: "Loading",
  retry: "Try again",
  reconnecting: "Reconnecting",
} as const;
