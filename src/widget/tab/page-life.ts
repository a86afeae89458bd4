import type { TabRecord, TabStorage } from './tab-storage.ts';

interface PageLifeOptions {
  readonly storage: TabStorage;
  /** What the next page of this tab is to find. */
  readonly record: () => TabRecord;
  /** The page was left and comes back as it was, after other pages of its tab. */
  readonly onReturn: (record: TabRecord) => void;
}

/**
 * Leaves a record behind when the page ends. A browser may end a page in the background without a word, so one that is hidden
 * leaves its record too, and takes it away when it is seen again. Returns a function that ends all that.
 */
export function followPageLife({ storage, record, onReturn }: PageLifeOptions): () => void {
  const end = new AbortController();
  const { signal } = end;
  const leave = (): void => storage.put(record());
  let found: TabRecord | null = null;
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      const left = persisted ? (found ?? storage.take()) : null;
      found = null;
      if (left !== null) onReturn(left);
    },
    { signal },
  );
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') leave();
      // It is this page's own, or that of the pages after it: of a page that comes back this is heard first.
      else found = storage.take();
    },
    { signal },
  );
  return () => end.abort();
}
