/** Enough text to tell a language from its neighbours. */
const sampleLength = 2_000;

const load = () => import('eld/extrasmall');

let detector: ReturnType<typeof load> | undefined;

/** The language of a text as ISO 639-1; empty when it cannot be told. Its tables take 80 MiB, so they are loaded by those who ask. */
export async function detectLanguage(text: string): Promise<string> {
  detector ??= load();
  const { eld } = await detector;
  return eld.detect(text.slice(0, sampleLength)).language;
}
