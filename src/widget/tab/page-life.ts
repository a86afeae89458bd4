import type { TabRecord, TabStorage } from './tab-storage.ts';

interface PageLifeOptions {
  readonly storage: TabStorage;
  /** The record for the next page of this tab. */
  readonly record: () => TabRecord;
  /** The user returns to this page after other pages of the tab, and the browser has kept the page. */
  readonly onReturn: (record: TabRecord) => void;
}

/**
 * Leaves a record when the page ends. A browser may end a hidden page without notice, so a hidden page leaves its record too, and removes
 * it once it is visible again. Calling the result ends that.
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
      // A page that returns gets this event before `pageshow`. The record is its own, or that of the pages after it.
      else found = storage.take();
    },
    { signal },
  );
  return () => end.abort();
}
