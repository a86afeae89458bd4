import type { MessageImage } from '../ports/message-image.ts';
import { imageSize } from '../request/image-size.ts';

/** Tokens of one picture as a context window counts it, whatever its size. */
export const tokensOfImage = 1_600;

/** Pixels of the side of a patch: Claude counts patches of 28 pixels, OpenAI patches of 32, which are fewer. */
const patchSide = 28;
/** The most patches that a provider counts. OpenAI makes larger pictures smaller. */
const mostPatches = 10_000;
/** The small models of OpenAI count more tokens for a patch, and make pictures with more patches smaller. */
const small = { patches: 1_536, tokensOfPatch: 2.46 } as const;
/** Gemini counts tiles, whose side follows the shorter side of the picture. */
const tile = { tokens: 258, leastSide: 256, mostSide: 768 } as const;

/**
 * The most tokens that a provider takes for a picture by its size, as the providers document it (docs/guides/budgets.md#images).
 * The frames of an animation count as one picture below each other.
 */
export function mostTokensOfImage(image: Pick<MessageImage, 'mediaType' | 'data'>): number {
  const size = imageSize(image);
  if (size === undefined) return mostPatches;
  const { side, pixels } = size;
  const other = Math.ceil(pixels / side);
  const patches = Math.ceil(side / patchSide) * Math.ceil(other / patchSide);
  const tileSide = Math.min(tile.mostSide, Math.max(tile.leastSide, Math.floor(Math.min(side, other) / 1.5)));
  const tiles = Math.ceil(side / tileSide) * Math.ceil(other / tileSide);
  return Math.ceil(
    Math.max(
      tokensOfImage,
      Math.min(patches, mostPatches),
      Math.min(patches, small.patches) * small.tokensOfPatch,
      tiles * tile.tokens,
    ),
  );
}
