import css from './status/status.css';

export { StatusLine } from './status/status-line.tsx';

/** The panel adds these styles to its shadow root with the line. */
export const styles: string = css;
