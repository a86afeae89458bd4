/** Longest title of a link, and longest address, that is waited for while a reply is read. */
const maxTitle = 500;
const maxAddress = 2000;

/** A link of Markdown, or a picture, with a title without brackets. */
const link = /(!?)\[([^[\]\n]*)\]\(\s*<?([^\s<>)]+)>?(?:\s+"[^"\n]*"|\s+'[^'\n]*')?\s*\)/g;
/** Where a link with any other title leads. */
const target = /\]\(\s*<?([^\s<>)]+)>?[^)\n]*\)/g;
/** An address that stands for itself. Its last sign is none of a sentence's. */
const bare = /<?((?:https?:\/\/|www\.)[^\s<>"'`[\]()]*[^\s<>"'`[\]().,;:!?])>?/gi;
/** The definition of a link that stands elsewhere. */
const definition = /\]:\s*<?((?:https?:|[a-z][a-z0-9+.-]*:[\\/]|[\\/]{2})[^\s<>]*)/gi;

/**
 * Stands for what was taken out, until its brackets are taken out with it. A space stays in its place: what stood on both sides must not
 * become an address together.
 */
const gap = '\u0000';
const gaps = /\(\s*\0\s*\)|\[\s*\0\s*\]|\0/g;

const startOfLink = `\\(?!?\\[[^[\\]\\n]{0,${String(maxTitle)}}`;
const startOfTarget = `\\]\\([^)\\n]{0,${String(maxAddress)}}`;

/** Ends of a text that may still become a link or an address, or the end of brackets around one. */
const unfinished = [
  new RegExp(`${startOfLink}$`),
  new RegExp(`(?:${startOfLink})?(?:\\]|${startOfTarget})$`),
  new RegExp(`\\(!?\\[[^[\\]\\n]{0,${String(maxTitle)}}${startOfTarget}\\)$`),
  new RegExp(`\\(?<?(?:https?://|www\\.)[^\\s<>"'\`[\\]()]{0,${String(maxAddress)}}>?$`, 'i'),
  /\(?<?(?:h|ht|htt|https?|https?:|https?:\/|w|ww|www)$/i,
  new RegExp(`\\]:\\s*[^\\s<>]{0,${String(maxAddress)}}$`),
  /[(<!]+$/,
] as const;

/** Whether an address is of one of these domains, or of one below them. */
export function isInDomains(address: string, domains: readonly string[]): boolean {
  const text = completed(address);
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  const host = hostname.replace(/\.$/, '');
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/**
 * Takes links that may not stand out of a reply while it is read. What may become such a link is held until that is known, and is never
 * shown before.
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

  /** What may be shown once this piece is there. */
  add(piece: string): string {
    const text = this.#held + piece;
    const from = Math.min(...unfinished.map((end) => positionOf(end, text)));
    this.#held = text.slice(from);
    return this.#cleaned(text.slice(0, from));
  }

  /** What is left to show at the end of the reply. */
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

/** Whether a link leads into the host application, or to a mailbox or telephone. Whatever a browser might read in another way does not. */
function isHarmless(address: string): boolean {
  if (/\\|&(?:#|[a-z]+;)/i.test(address)) return false;
  return /^(?:mailto:|tel:|[#?]|\/(?!\/)|[\w.-]+(?:[/?#]|$))/i.test(address);
}

/** Whether a title is nothing but the host of its address: then it is a citation, and says nothing without the address. */
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

/** As browsers complete what they find in a page. */
function completed(address: string): string {
  if (/^www\./i.test(address)) return `https://${address}`;
  return address.startsWith('//') ? `https:${address}` : address;
}

function positionOf(end: RegExp, text: string): number {
  const at = text.search(end);
  return at < 0 ? text.length : at;
}
