/** The most characters of a title and of an address for which a reply is held while it is read. */
const maxTitle = 500;
const maxAddress = 2000;

/**
 * The address of a link, with the space before it. What follows never continues it, so that there is one way to read it: a text of a
 * thousand half links must not take a thousand times as long as one.
 */
const addressed = `\\s{0,100}<?([^\\s<>)]{1,${String(maxAddress)}})(?=[\\s<>)])>?`;
/** A link or a picture in Markdown whose title has no brackets. */
const link = new RegExp(`(!?)\\[([^[\\]\\n]*)\\]\\(${addressed}(?:\\s+"[^"\\n]*"|\\s+'[^'\\n]*')?\\s*\\)`, 'g');
/** The address of a link with any other title. */
const target = new RegExp(`\\]\\(${addressed}[^)\\n]{0,${String(maxAddress)}}\\)`, 'g');
/** A link whose address is longer than any that is held until its end. */
const overlong = new RegExp(`\\]\\(\\s{0,100}<?([^\\s<>)]{${String(maxAddress)}}[^\\s<>)]*)`, 'g');
/** An address without a link around it. Its last character is not punctuation of the sentence. */
const bare = /<?((?:https?:\/\/|www\.)[^\s<>"'`[\]()]*[^\s<>"'`[\]().,;:!?])>?/gi;
/** The definition of a link that is used in another place of the text. */
const definition = /\]:\s*<?((?:https?:|[a-z][a-z0-9+.-]*:[\\/]|[\\/]{2})[^\s<>]*)/gi;

/**
 * Marks the place of an address that was taken out, until the brackets around it are taken out too. A space replaces it, so that the texts
 * on both sides do not form an address together.
 */
const gap = '\u0000';
const gaps = /\(\s*\0\s*\)|\[\s*\0\s*\]|\0/g;

const startOfLink = `\\(?!?\\[[^[\\]\\n]{0,${String(maxTitle)}}`;
const startOfTarget = `\\]\\([^)\\n]{0,${String(maxAddress)}}`;

/** The ends of a text that may still become a link or an address, or that may still get the brackets around one. */
const unfinished = [
  new RegExp(`${startOfLink}$`),
  new RegExp(`(?:${startOfLink})?(?:\\]|${startOfTarget})$`),
  new RegExp(`\\(?<?(?:https?://|www\\.)[^\\s<>"'\`[\\]()]{0,${String(maxAddress)}}>?$`, 'i'),
  /\(?<?(?:h|ht|htt|https?|https?:|https?:\/|w|ww|www)$/i,
  new RegExp(`\\]:\\s*[^\\s<>]{0,${String(maxAddress)}}$`),
  /[(<!]{1,3}$/,
] as const;
/** The end of a link in brackets, whose last bracket may follow. */
const closed = new RegExp(`\\(!?\\[[^[\\]\\n]{0,${String(maxTitle)}}${startOfTarget}\\)$`);
/** No unfinished end is longer. */
const longestEnd = maxTitle + maxAddress + 10;

/** Whether the host of an address is one of these domains or a subdomain of one. */
export function isInDomains(address: string, domains: readonly string[]): boolean {
  const text = completed(address);
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  const host = hostname.replace(/\.$/, '');
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/**
 * Takes links that are not allowed out of a reply while it is read. Text that may become such a link is held, and is not shown, until this
 * is decided.
 */
export class LinkScope {
  readonly #mayStand: (address: string) => boolean;
  readonly #removed = new Set<string>();
  #held = '';

  constructor(mayStand: (address: string) => boolean) {
    this.#mayStand = mayStand;
  }

  /** The hosts of the links that were taken out. */
  get removedHosts(): readonly string[] {
    return [...this.#removed];
  }

  /** Adds a piece of the reply. Returns the text that can be shown now. */
  add(piece: string): string {
    const text = this.#held + piece;
    const from = unfinishedFrom(text);
    this.#held = text.slice(from);
    return this.#cleaned(text.slice(0, from));
  }

  /** Returns the rest of the text at the end of the reply. */
  end(): string {
    const text = this.#held;
    this.#held = '';
    return this.#cleaned(text);
  }

  #cleaned(text: string): string {
    const take = (address: string): void => {
      this.#removed.add(hostOf(address));
    };
    return text
      .replace(link, (...[whole, picture, title, address]: [string, string, string, string]) => {
        if (isHarmless(address) || this.#mayStand(address)) return whole;
        take(address);
        return picture !== '' || namesHost(title, address) ? gap : `“${title}”`;
      })
      .replace(target, (whole: string, address: string) => {
        if (isHarmless(address) || this.#mayStand(address)) return whole;
        take(address);
        return `]${gap}`;
      })
      .replace(overlong, (whole: string, address: string) => {
        if (isHarmless(address) || this.#mayStand(address)) return whole;
        take(address);
        return `]${gap}`;
      })
      .replace(definition, (whole: string, address: string) => {
        if (this.#mayStand(address)) return whole;
        take(address);
        return `]:${gap}`;
      })
      .replace(bare, (whole: string, address: string) => {
        if (this.#mayStand(address)) return whole;
        take(address);
        return gap;
      })
      .replace(gaps, ' ');
  }
}

/**
 * Whether a link leads into the host application, to a mailbox or to a telephone. An address that a browser might read in another way is
 * not harmless.
 */
function isHarmless(address: string): boolean {
  if (/\\|&(?:#|[a-z]+;)/i.test(address)) return false;
  return /^(?:mailto:|tel:|[#?]|\/(?!\/)|[\w.-]+(?:[/?#]|$))/i.test(address);
}

/** Whether a title is only the host of its address. Such a link is a citation, and its title says nothing without the address. */
function namesHost(title: string, address: string): boolean {
  const host = hostOf(address);
  return (
    title
      .trim()
      .toLowerCase()
      .replace(/^www\./, '') === host.replace(/^www\./, '')
  );
}

function hostOf(address: string): string {
  const text = completed(address);
  return URL.canParse(text) ? new URL(text).hostname : '(unreadable address)';
}

/** Completes an address as a browser does on a page. */
function completed(address: string): string {
  if (/^www\./i.test(address)) return `https://${address}`;
  return address.startsWith('//') ? `https:${address}` : address;
}

/** Where the end of a text begins that may still become a link or an address. The length of the text if there is no such end. */
function unfinishedFrom(text: string): number {
  const before = Math.max(0, text.length - longestEnd);
  const end = text.slice(before);
  const ends = end.endsWith(')') ? [...unfinished, closed] : unfinished;
  const places = ends.map((pattern) => end.search(pattern)).filter((place) => place >= 0);
  return before + Math.min(end.length, ...places);
}
