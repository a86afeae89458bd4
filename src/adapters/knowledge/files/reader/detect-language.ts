/** So many characters are enough to tell similar languages apart. */
const sampleLength = 2_000;

const load = () => import('eld/extrasmall');

let detector: ReturnType<typeof load> | undefined;

/**
 * The language of a text as ISO 639-1; empty when it cannot be told. The tables of the detector take 80 MiB, so the first call loads them.
 */
export async function detectLanguage(text: string): Promise<string> {
  detector ??= load();
  const { eld } = await detector;
  return eld.detect(text.slice(0, sampleLength)).language;
}
