/** An amount as people write it: 12.5 is "€12.50". Amounts leave this plugin only in this form. */
export function priceText(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}

/**
 * The number in a text such as "€12.50". A text without a currency is in the shop's own currency.
 * @throws Error when the text is in another currency.
 */
export function priceOf(text: string, currency: string): number {
  const amount = Number(text.replace(/[^\d.]/g, ''));
  const signOf = (price: string): string => price.replace(/[\d.,\s]/g, '');
  const own = signOf(priceText(amount, currency));
  if (!['', own, currency].includes(signOf(text))) throw new Error(`Amounts are in ${currency}, such as ${own}12.50.`);
  return amount;
}
