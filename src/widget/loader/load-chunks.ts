import type { ClientSettings, Language } from '../../wire/client-settings.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelModule, TextsModule } from '../widget-contract.ts';

/** The panel and its texts. Texts that cannot be fetched are English, which the panel holds. */
export interface Chunks {
  readonly panel: PanelModule;
  readonly texts: WidgetTexts;
}

/** Makes a function that loads both; it rejects when the panel cannot be fetched, and then can be called again. */
export function chunkLoader(settings: ClientSettings, scriptUrl: string): (language: Language) => Promise<Chunks> {
  let suffix = '';
  const fetchChunk = (file: string): Promise<unknown> => import(new URL(file + suffix, scriptUrl).href);
  return async (language) => {
    const translated = fetchChunk(settings.texts[language]).catch(() => null);
    try {
      const panel = (await fetchChunk(settings.panel)) as PanelModule; // the chunk of the same build
      return { panel, texts: ((await translated) as TextsModule | null)?.texts ?? panel.english }; // likewise
    } catch (error) {
      // Browsers may remember a failed module by its address.
      suffix = `?${Date.now()}`;
      throw error;
    }
  };
}
