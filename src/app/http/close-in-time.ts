import type { FastifyInstance } from 'fastify';

/** Milliseconds for answers that are on their way. A request that has not arrived completely by then gets no answer. */
const lastAnswersMs = 1000;

/**
 * Closes the server. `close` waits for every request, even for one whose client never sends the rest of it, so `cut` ends such requests.
 */
export async function closeInTime(app: FastifyInstance, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, lastAnswersMs);
  await app.close();
  clearTimeout(timer);
}
