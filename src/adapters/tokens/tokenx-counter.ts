import { estimateTokenCount } from 'tokenx';
import type { TokenCounter } from '../../core/ports/token-counter.ts';

/** Estimates tokens by the scripts and words of a text, as `tokenx` does: without any vocabulary. */
export const tokenxCounter: TokenCounter = (text) => estimateTokenCount(text);
