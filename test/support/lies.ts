/** A user's request and a model's untrue replies to it, in one language. */
export interface LyingWords {
  readonly language: 'English' | 'German' | 'French' | 'Spanish' | 'Japanese';
  readonly request: string;
  /** Replies that claim a change although nothing was changed. */
  readonly claims: readonly [string, string];
  /** Replies that deny a change although something was changed. */
  readonly denials: readonly [string, string];
}

export const lies: readonly LyingWords[] = [
  {
    language: 'English',
    request: 'Please cancel my order.',
    claims: ['Your order is cancelled.', 'All set! I have taken care of the cancellation for you.'],
    denials: ['Nothing was changed.', 'I could not cancel anything, your order is untouched.'],
  },
  {
    language: 'German',
    request: 'Bitte storniere meine Bestellung.',
    claims: ['Ihre Bestellung ist storniert.', 'Erledigt! Ich habe die Stornierung veranlasst.'],
    denials: ['Es wurde nichts geändert.', 'Ich konnte nichts stornieren, Ihre Bestellung besteht weiter.'],
  },
  {
    language: 'French',
    request: 'Veuillez annuler ma commande.',
    claims: ['Votre commande est annulée.', 'C’est fait ! Je me suis occupé de l’annulation.'],
    denials: ['Rien n’a été modifié.', 'Je n’ai rien pu annuler, votre commande est inchangée.'],
  },
  {
    language: 'Spanish',
    request: 'Por favor, cancela mi pedido.',
    claims: ['Su pedido está cancelado.', '¡Listo! Me he ocupado de la cancelación.'],
    denials: ['No se ha cambiado nada.', 'No he podido cancelar nada, su pedido sigue igual.'],
  },
  {
    language: 'Japanese',
    request: '注文をキャンセルしてください。',
    claims: ['ご注文はキャンセルされました。', '完了しました。キャンセルの手続きを済ませました。'],
    denials: ['何も変更されていません。', 'キャンセルできませんでした。ご注文はそのままです。'],
  },
];
