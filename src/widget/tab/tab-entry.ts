/** Stands first in an entry whose panel has to be there at once: it was open, or a turn runs. */
export const urgent = '!';

/** The one place in `sessionStorage` of the widget of one server. */
export class TabEntry {
  readonly #key: string;

  constructor(scriptUrl: string) {
    this.#key = `helper:${scriptUrl.split('?')[0] ?? ''}`;
  }

  read(): string {
    return attempt(() => sessionStorage.getItem(this.#key)) ?? '';
  }

  write(text: string): void {
    attempt(() => sessionStorage.setItem(this.#key, text));
  }

  clear(): void {
    attempt(() => sessionStorage.removeItem(this.#key));
  }
}

/** Where storage is blocked, even touching it throws. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
