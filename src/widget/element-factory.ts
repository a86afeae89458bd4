/** The build turns JSX into calls of these (scripts/build-widget.ts). */
export { Fragment, h } from 'preact';
