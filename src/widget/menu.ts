import css from './menu/menu.css';

export { Menu } from './menu/menu.tsx';

/** The panel adds these styles to its shadow root with the menu. */
export const styles: string = css;
