import type { FastifyInstance } from 'fastify';

/** Milliseconds for answers that are on their way. A client that has not finished asking by now gets no answer. */
const lastAnswersMs = 1000;

/** Closing waits for every request, even for one whose client never sends the rest of it: `cut` ends those. */
export async function closeInTime(app: FastifyInstance, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, lastAnswersMs);
  await app.close();
  clearTimeout(timer);
}
