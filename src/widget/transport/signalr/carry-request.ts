import type { HubRequest, HubRequests } from './hub-requests.ts';
import { limited } from './limited.ts';

export interface CarryOptions {
  readonly limitMs: number;
  /** Takes the answer, piece by piece. */
  readonly onPiece?: (text: string) => void;
}

/**
 * A request of a connection that is open, with its whole answer in a limited time: tried once more when the token has ended
 * meanwhile. Resolves with the status.
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

/** By its status: the class of the fault may be in another chunk than this code. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401;
}

/** Reads the body of an answer as text, piece by piece, to its end. */
export async function readPieces(response: Response, onPiece: (text: string) => void): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const piece = await reader?.read();
    if (piece?.done !== false) return;
    onPiece(decoder.decode(piece.value, { stream: true }));
  }
}
