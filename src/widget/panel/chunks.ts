import type { PanelHost } from '../widget-contract.ts';
import { addStyles } from './add-styles.ts';

/** The parts of the panel that are files of their own. Each is fetched with its first use. After a failure the next use tries again. */
export class Chunks {
  readonly #host: PanelHost;
  readonly #modules = new Map<string, Promise<unknown>>();

  constructor(host: PanelHost) {
    this.#host = host;
  }

  /**
   * Loads a chunk from beside the panel. `file` is its name in this build (scripts/build-widget.ts). Rejects when the chunk cannot be
   * fetched.
   */
  load<Module extends { readonly styles?: string }>(file: string): Promise<Module> {
    const module = this.#modules.get(file) ?? this.#fetch(file);
    this.#modules.set(file, module);
    return module as Promise<Module>; // the chunk of that name exports it
  }

  async #fetch(file: string): Promise<unknown> {
    const { settings, scriptUrl, shadow } = this.#host;
    try {
      const url = new URL(file, new URL(settings.panel, scriptUrl));
      const module = (await import(url.href)) as { readonly styles?: string }; // the chunk comes from this build
      if (module.styles !== undefined) addStyles(shadow, module.styles);
      return module;
    } catch (error) {
      this.#modules.delete(file);
      throw error;
    }
  }
}
