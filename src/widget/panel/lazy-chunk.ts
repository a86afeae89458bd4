import type { PanelHost } from '../widget-contract.ts';

export interface LazyChunkOptions {
  readonly host: PanelHost;
  /** Its file name in this build, beside the panel. */
  readonly file: string;
  readonly addStyles: (css: string) => void;
}

/** A part of the panel that is fetched with its first use; a failed fetch is tried again with the next. */
export class LazyChunk<Module extends { readonly styles?: string }> {
  readonly #options: LazyChunkOptions;
  #module: Promise<Module> | null = null;

  constructor(options: LazyChunkOptions) {
    this.#options = options;
  }

  /** Rejects when the chunk cannot be fetched. */
  load(): Promise<Module> {
    this.#module ??= this.#fetch().catch((error: unknown) => {
      this.#module = null;
      throw error;
    });
    return this.#module;
  }

  async #fetch(): Promise<Module> {
    const { host, file, addStyles } = this.#options;
    const url = new URL(file, new URL(host.settings.panel, host.scriptUrl));
    const module = (await import(url.href)) as Module; // the chunk of the same build
    if (module.styles !== undefined) addStyles(module.styles);
    return module;
  }
}
