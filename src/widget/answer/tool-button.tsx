import type { JSX } from 'preact';

const paths = {
  copy: 'M9 9h10v11H9zM15 9V5H5v10h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  warning: 'M12 8v5m0 3.5h.01M12 3.5 21 19H3z',
  speaker: 'M4 10v4h3l5 4V6l-5 4H4Zm12-1a4 4 0 0 1 0 6m3-9a8 8 0 0 1 0 12',
  good: 'M7 10v10H4V10zl4-7a2 2 0 0 1 2 2v4h5.5a1.5 1.5 0 0 1 1.5 1.8l-1.3 7a2 2 0 0 1-2 1.7H7',
  bad: 'M7 14V4H4v10zl4 7a2 2 0 0 0 2-2v-4h5.5a1.5 1.5 0 0 0 1.5-1.8l-1.3-7a2 2 0 0 0-2-1.7H7',
  again: 'M19.5 13A7.5 7.5 0 1 1 17 6.4L20 9m0-5v5h-5',
  edit: 'M4 20h4L19 9a2.1 2.1 0 0 0-4-4L4 16v4Zm9.5-13.5 4 4',
} as const;

export type ToolIcon = keyof typeof paths;

interface ToolButtonProps {
  readonly icon: ToolIcon;
  readonly name: string;
  readonly press: () => void;
  /** Left out: the button switches nothing. */
  readonly isOn?: boolean;
}

/** A button under a message, with a drawing in place of words. */
export function ToolButton({ icon, name, press, isOn }: ToolButtonProps): JSX.Element {
  return (
    <button type="button" aria-label={name} title={name} aria-pressed={isOn} onClick={press}>
      <svg class={`icon icon-${icon}`} viewBox="0 0 24 24" aria-hidden="true">
        <path d={paths[icon]} />
      </svg>
    </button>
  );
}
