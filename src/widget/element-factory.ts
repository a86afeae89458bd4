/** What the build makes of JSX (scripts/build-widget.ts). */
export { Fragment, h } from 'preact';
