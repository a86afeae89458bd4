import cardsCss from './cards/cards.css';

export { planCard } from './cards/plan-card.ts';

/** Added to the panel's shadow root with the first card. */
export const styles: string = cardsCss;
