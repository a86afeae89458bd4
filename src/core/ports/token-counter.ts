/**
 * Estimates how many tokens a text has, without the tokenizer of any one model (contract/models.md#the-context-window). MUST be pure, and
 * its time MUST grow no faster than the text.
 */
export type TokenCounter = (text: string) => number;
