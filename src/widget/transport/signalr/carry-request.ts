import type { HubRequest, HubRequests } from './hub-requests.ts';
import { limited } from './limited.ts';

export interface CarryOptions {
  readonly limitMs: number;
  /** Takes each piece of the answer. */
  readonly onPiece?: (text: string) => void;
}

/**
 * Makes a request of an open connection, and reads its whole answer within a limit. The request is tried once more when the token has
 * ended meanwhile. Resolves with the status.
 */
export function carryRequest(
  requests: HubRequests,
  request: HubRequest,
  { limitMs, onPiece = () => undefined }: CarryOptions,
): Promise<number> {
  return limited(limitMs, request.signal, async (signal) => {
    const { token } = requests;
    const before = token.latest;
    const response = await requests.send({ ...request, signal }).catch(async (error: unknown) => {
      if (!isUnauthorized(error) || (await token.read()) === before) throw error;
      return requests.send({ ...request, signal });
    });
    await readPieces(response, onPiece);
    return response.status;
  });
}

/** Judges by the status, because the class of the fault may be in another chunk. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401;
}

/** Reads the body of an answer as text to its end, piece by piece. */
export async function readPieces(response: Response, onPiece: (text: string) => void): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const piece = await reader?.read();
    if (piece?.done !== false) return;
    onPiece(decoder.decode(piece.value, { stream: true }));
  }
}
