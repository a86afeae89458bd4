import type { ClientSettings, Language } from '../../wire/client-settings.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { PanelModule, TextsModule } from '../widget-contract.ts';

/** The panel and its texts. If the texts cannot be fetched, English stands in. */
export interface Chunks {
  readonly panel: PanelModule;
  readonly texts: WidgetTexts;
}

/**
 * Makes a function that loads the panel and the texts. The function rejects when one of them cannot be fetched, and can then be called
 * again.
 */
export function chunkLoader(settings: ClientSettings, scriptUrl: string): (language: Language) => Promise<Chunks> {
  let suffix = '';
  const fetchChunk = (file: string): Promise<unknown> => import(new URL(file + suffix, scriptUrl).href);
  const fetchTexts = (language: Language): Promise<unknown> =>
    fetchChunk(settings.texts.replace('*', language.toLowerCase()));
  return async (language) => {
    try {
      const chunks = await Promise.all([
        fetchChunk(settings.panel),
        fetchTexts(language).catch(() => fetchTexts('English')),
      ]);
      const [panelModule, textsModule] = chunks as [PanelModule, TextsModule]; // both chunks come from this build
      return { panel: panelModule, texts: textsModule.texts };
    } catch (error) {
      // A browser may remember by its address that a module failed.
      suffix = `?${Date.now()}`;
      throw error;
    }
  };
}
