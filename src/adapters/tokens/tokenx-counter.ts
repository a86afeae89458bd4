import { estimateTokenCount } from 'tokenx';
import type { TokenCounter } from '../../core/ports/token-counter.ts';

/** Estimates the tokens of a text from its scripts and words, without a vocabulary, as `tokenx` does. */
export const tokenxCounter: TokenCounter = (text) => estimateTokenCount(text);
