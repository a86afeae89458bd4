import type { JSX } from 'preact';

const paths = {
  close: 'M6 6l12 12M18 6 6 18',
  renew: 'M4 20h4L19 9a2.1 2.1 0 0 0-4-4L4 16v4Zm9.5-13.5 4 4M14 20h6',
  send: 'M12 19V6m-6 6 6-6 6 6',
  stop: 'M8 8h8v8H8z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  cross: 'm7 7 10 10M17 7 7 17',
  question: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.8 9.6A2.3 2.3 0 1 1 13 11.7c-.7.3-1 .8-1 1.6M12 16.5h.01',
  warning: 'M12 8v5m0 3.5h.01M12 3.5 21 19H3z',
  down: 'M12 5v14m-6-6 6 6 6-6',
  unfold: 'm7 10 5 5 5-5',
  page: 'M14 4h6v6m0-6-9 9M19 14v5H5V5h5',
  spark: 'M12 3c.6 4.9 3.6 8.4 9 9-5.4.6-8.4 4.1-9 9-.6-4.9-3.6-8.4-9-9 5.4-.6 8.4-4.1 9-9Z',
} as const;

export type IconName = keyof typeof paths;

/** A drawing without words. The element around it must have a name. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
