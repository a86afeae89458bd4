/** The texts of the budget's view in one language. `{amount}` stands for a number. */
export interface BudgetTexts {
  readonly list: string;
  readonly tokens: string;
  readonly cost: string;
  /** `{time}` stands for the time at which the budget is renewed. */
  readonly until: string;
  readonly renewed: string;
}

/** The texts by the primary part of the panel's language. */
const byLanguage: Readonly<Record<string, BudgetTexts>> = {
  en: {
    list: 'Remaining budget',
    tokens: 'Tokens left: {amount}',
    cost: 'Amount left: {amount}',
    until: 'Renews on {time}',
    renewed: 'Your full budget is available again.',
  },
  de: {
    list: 'Verbleibendes Budget',
    tokens: 'Verbleibende Tokens: {amount}',
    cost: 'Verbleibender Betrag: {amount}',
    until: 'Wird am {time} erneuert',
    renewed: 'Ihr volles Budget ist wieder verfügbar.',
  },
  fr: {
    list: 'Budget restant',
    tokens: 'Jetons restants : {amount}',
    cost: 'Montant restant : {amount}',
    until: 'Renouvelé le {time}',
    renewed: 'Votre budget complet est de nouveau disponible.',
  },
  it: {
    list: 'Budget residuo',
    tokens: 'Token residui: {amount}',
    cost: 'Importo residuo: {amount}',
    until: 'Si rinnova il {time}',
    renewed: 'Il tuo budget completo è di nuovo disponibile.',
  },
  es: {
    list: 'Presupuesto restante',
    tokens: 'Tokens restantes: {amount}',
    cost: 'Importe restante: {amount}',
    until: 'Se renueva el {time}',
    renewed: 'Vuelves a tener todo tu presupuesto.',
  },
  pt: {
    list: 'Orçamento restante',
    tokens: 'Tokens restantes: {amount}',
    cost: 'Valor restante: {amount}',
    until: 'Renova-se em {time}',
    renewed: 'O seu orçamento completo está de novo disponível.',
  },
  nl: {
    list: 'Resterend budget',
    tokens: 'Resterende tokens: {amount}',
    cost: 'Resterend bedrag: {amount}',
    until: 'Wordt vernieuwd op {time}',
    renewed: 'Uw volledige budget is weer beschikbaar.',
  },
  pl: {
    list: 'Pozostały budżet',
    tokens: 'Pozostałe tokeny: {amount}',
    cost: 'Pozostała kwota: {amount}',
    until: 'Odnowienie: {time}',
    renewed: 'Cały budżet jest znowu dostępny.',
  },
  ja: {
    list: '残りの予算',
    tokens: '残りのトークン：{amount}',
    cost: '残りの金額：{amount}',
    until: '更新日時：{time}',
    renewed: '予算がすべて再び利用できます。',
  },
  zh: {
    list: '剩余预算',
    tokens: '剩余 token：{amount}',
    cost: '剩余金额：{amount}',
    until: '恢复时间：{time}',
    renewed: '您的全部预算已恢复。',
  },
};

/** The texts for a BCP 47 tag. */
export function budgetTexts(locale: string): BudgetTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}
