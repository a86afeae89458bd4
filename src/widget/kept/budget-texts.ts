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
    list: 'What you can still use',
    tokens: 'Tokens left, as last reported: {amount}.',
    cost: 'Cost left, as last reported: {amount}.',
    until: 'This is renewed: {time}.',
    renewed: 'Everything is available again.',
  },
  de: {
    list: 'Was Sie noch nutzen können',
    tokens: 'Verbleibende Tokens, zuletzt gemeldet: {amount}.',
    cost: 'Verbleibende Kosten, zuletzt gemeldet: {amount}.',
    until: 'Wird erneuert: {time}.',
    renewed: 'Es ist wieder alles verfügbar.',
  },
  fr: {
    list: 'Ce que vous pouvez encore utiliser',
    tokens: 'Jetons restants, au dernier relevé : {amount}.',
    cost: 'Coût restant, au dernier relevé : {amount}.',
    until: 'Renouvellement : {time}.',
    renewed: 'Tout est de nouveau disponible.',
  },
  it: {
    list: 'Quanto puoi ancora usare',
    tokens: 'Token rimasti, secondo l’ultimo dato: {amount}.',
    cost: 'Costo rimasto, secondo l’ultimo dato: {amount}.',
    until: 'Si rinnova: {time}.',
    renewed: 'È di nuovo tutto disponibile.',
  },
  es: {
    list: 'Lo que aún puedes usar',
    tokens: 'Tokens restantes según el último dato: {amount}.',
    cost: 'Coste restante según el último dato: {amount}.',
    until: 'Se renueva: {time}.',
    renewed: 'Todo vuelve a estar disponible.',
  },
  pt: {
    list: 'O que ainda pode usar',
    tokens: 'Tokens restantes, segundo o último dado: {amount}.',
    cost: 'Custo restante, segundo o último dado: {amount}.',
    until: 'Renova-se: {time}.',
    renewed: 'Está tudo disponível de novo.',
  },
  nl: {
    list: 'Wat u nog kunt gebruiken',
    tokens: 'Resterende tokens, laatst gemeld: {amount}.',
    cost: 'Resterende kosten, laatst gemeld: {amount}.',
    until: 'Wordt vernieuwd: {time}.',
    renewed: 'Alles is weer beschikbaar.',
  },
  pl: {
    list: 'Ile jeszcze możesz wykorzystać',
    tokens: 'Pozostałe tokeny według ostatniej informacji: {amount}.',
    cost: 'Pozostały koszt według ostatniej informacji: {amount}.',
    until: 'Odnowienie: {time}.',
    renewed: 'Wszystko jest znowu dostępne.',
  },
  ja: {
    list: '残りの利用可能量',
    tokens: '残りのトークン（最新の報告）：{amount}',
    cost: '残りの費用（最新の報告）：{amount}',
    until: '更新：{time}',
    renewed: 'すべて再び利用できます。',
  },
  zh: {
    list: '您还可使用的额度',
    tokens: '剩余 token（最近一次报告）：{amount}。',
    cost: '剩余费用（最近一次报告）：{amount}。',
    until: '恢复时间：{time}。',
    renewed: '额度已全部恢复。',
  },
};

/** The texts for a BCP 47 tag. */
export function budgetTexts(locale: string): BudgetTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}
