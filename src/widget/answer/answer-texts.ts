/** The texts of what stands under messages, in one language. */
export interface AnswerTexts {
  readonly good: string;
  readonly bad: string;
  /** Names the field for a word about the reply. */
  readonly word: string;
  readonly thanks: string;
  readonly notRated: string;
  readonly readOut: string;
  readonly edit: string;
  readonly cancel: string;
}

/** The texts by the primary part of the panel's language. */
const byLanguage: Readonly<Record<string, AnswerTexts>> = {
  en: {
    good: 'Good answer',
    bad: 'Bad answer',
    word: 'Comment (optional)',
    thanks: 'Thank you for your feedback.',
    notRated: 'Your rating could not be saved. Please try again.',
    readOut: 'Read aloud',
    edit: 'Edit message',
    cancel: 'Cancel',
  },
  de: {
    good: 'Gute Antwort',
    bad: 'Schlechte Antwort',
    word: 'Anmerkung (optional)',
    thanks: 'Danke für Ihre Rückmeldung.',
    notRated: 'Ihre Bewertung ließ sich nicht speichern. Bitte versuchen Sie es erneut.',
    readOut: 'Vorlesen',
    edit: 'Nachricht bearbeiten',
    cancel: 'Abbrechen',
  },
  fr: {
    good: 'Bonne réponse',
    bad: 'Mauvaise réponse',
    word: 'Commentaire (facultatif)',
    thanks: 'Merci pour votre avis.',
    notRated: 'Votre avis n’a pas pu être enregistré. Veuillez réessayer.',
    readOut: 'Lire à voix haute',
    edit: 'Modifier le message',
    cancel: 'Annuler',
  },
  it: {
    good: 'Risposta utile',
    bad: 'Risposta non utile',
    word: 'Commento (facoltativo)',
    thanks: 'Grazie per il tuo parere.',
    notRated: 'Impossibile salvare la valutazione. Riprova.',
    readOut: 'Leggi ad alta voce',
    edit: 'Modifica il messaggio',
    cancel: 'Annulla',
  },
  es: {
    good: 'Buena respuesta',
    bad: 'Mala respuesta',
    word: 'Comentario (opcional)',
    thanks: 'Gracias por tu opinión.',
    notRated: 'No se pudo guardar tu valoración. Inténtalo de nuevo.',
    readOut: 'Leer en voz alta',
    edit: 'Editar mensaje',
    cancel: 'Cancelar',
  },
  pt: {
    good: 'Boa resposta',
    bad: 'Má resposta',
    word: 'Comentário (opcional)',
    thanks: 'Obrigado pela sua opinião.',
    notRated: 'Não foi possível guardar a avaliação. Tente novamente.',
    readOut: 'Ler em voz alta',
    edit: 'Editar mensagem',
    cancel: 'Cancelar',
  },
  nl: {
    good: 'Goed antwoord',
    bad: 'Slecht antwoord',
    word: 'Toelichting (optioneel)',
    thanks: 'Bedankt voor uw feedback.',
    notRated: 'Uw beoordeling kon niet worden opgeslagen. Probeer het opnieuw.',
    readOut: 'Voorlezen',
    edit: 'Bericht bewerken',
    cancel: 'Annuleren',
  },
  pl: {
    good: 'Dobra odpowiedź',
    bad: 'Zła odpowiedź',
    word: 'Komentarz (opcjonalnie)',
    thanks: 'Dziękujemy za opinię.',
    notRated: 'Nie udało się zapisać oceny. Spróbuj ponownie.',
    readOut: 'Przeczytaj na głos',
    edit: 'Edytuj wiadomość',
    cancel: 'Anuluj',
  },
  ja: {
    good: '良い回答',
    bad: '良くない回答',
    word: 'コメント（任意）',
    thanks: 'フィードバックをありがとうございます。',
    notRated: '評価を保存できませんでした。もう一度お試しください。',
    readOut: '読み上げる',
    edit: 'メッセージを編集',
    cancel: 'キャンセル',
  },
  zh: {
    good: '回答得好',
    bad: '回答得不好',
    word: '补充说明（选填）',
    thanks: '感谢您的反馈。',
    notRated: '无法保存您的评价，请重试。',
    readOut: '朗读',
    edit: '编辑消息',
    cancel: '取消',
  },
};

/** The texts for a BCP 47 tag. */
export function answerTexts(locale: string): AnswerTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}
