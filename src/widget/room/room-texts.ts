/** The texts of the panel's room and of the list of its keys, in one language. */
export interface RoomTexts {
  /** The item that makes the panel large. */
  readonly larger: string;
  /** Names the edge by which the panel is made wider. */
  readonly width: string;
  /** Names the list of the keys. */
  readonly keys: string;
  readonly back: string;
  /** What the keys do. */
  readonly send: string;
  readonly line: string;
  readonly last: string;
  readonly part: string;
  readonly scroll: string;
  readonly close: string;
  readonly list: string;
}

/** The texts by the primary part of the panel's language. */
const byLanguage: Readonly<Record<string, RoomTexts>> = {
  en: {
    larger: 'Larger window',
    width: 'Width of the chat',
    keys: 'Keyboard shortcuts',
    back: 'Back to the chat',
    send: 'Send the message',
    line: 'New line',
    last: 'In an empty field: bring back your last message',
    part: 'Switch between the conversation and your message',
    scroll: 'Scroll the conversation',
    close: 'Close the chat',
    list: 'Outside the field: this list',
  },
  de: {
    larger: 'Größeres Fenster',
    width: 'Breite des Chats',
    keys: 'Tastenkürzel',
    back: 'Zurück zum Chat',
    send: 'Nachricht senden',
    line: 'Neue Zeile',
    last: 'Im leeren Feld: letzte Nachricht zurückholen',
    part: 'Zwischen Unterhaltung und Nachricht wechseln',
    scroll: 'In der Unterhaltung blättern',
    close: 'Chat schließen',
    list: 'Außerhalb des Felds: diese Übersicht',
  },
  fr: {
    larger: 'Fenêtre plus grande',
    width: 'Largeur du chat',
    keys: 'Raccourcis clavier',
    back: 'Retour au chat',
    send: 'Envoyer le message',
    line: 'Nouvelle ligne',
    last: 'Dans un champ vide : rappeler votre dernier message',
    part: 'Passer de la conversation à votre message',
    scroll: 'Faire défiler la conversation',
    close: 'Fermer le chat',
    list: 'En dehors du champ : cette liste',
  },
  it: {
    larger: 'Finestra più grande',
    width: 'Larghezza della chat',
    keys: 'Scorciatoie da tastiera',
    back: 'Torna alla chat',
    send: 'Invia il messaggio',
    line: 'Nuova riga',
    last: 'Nel campo vuoto: riprendi l’ultimo messaggio',
    part: 'Passa dalla conversazione al messaggio',
    scroll: 'Scorri la conversazione',
    close: 'Chiudi la chat',
    list: 'Fuori dal campo: questo elenco',
  },
  es: {
    larger: 'Ventana más grande',
    width: 'Ancho del chat',
    keys: 'Atajos de teclado',
    back: 'Volver al chat',
    send: 'Enviar el mensaje',
    line: 'Línea nueva',
    last: 'En el campo vacío: recuperar tu último mensaje',
    part: 'Cambiar entre la conversación y tu mensaje',
    scroll: 'Desplazar la conversación',
    close: 'Cerrar el chat',
    list: 'Fuera del campo: esta lista',
  },
  pt: {
    larger: 'Janela maior',
    width: 'Largura do chat',
    keys: 'Atalhos de teclado',
    back: 'Voltar ao chat',
    send: 'Enviar a mensagem',
    line: 'Nova linha',
    last: 'No campo vazio: recuperar a última mensagem',
    part: 'Alternar entre a conversa e a mensagem',
    scroll: 'Percorrer a conversa',
    close: 'Fechar o chat',
    list: 'Fora do campo: esta lista',
  },
  nl: {
    larger: 'Groter venster',
    width: 'Breedte van de chat',
    keys: 'Sneltoetsen',
    back: 'Terug naar de chat',
    send: 'Bericht versturen',
    line: 'Nieuwe regel',
    last: 'In een leeg veld: uw laatste bericht terughalen',
    part: 'Wisselen tussen het gesprek en uw bericht',
    scroll: 'Door het gesprek scrollen',
    close: 'Chat sluiten',
    list: 'Buiten het veld: deze lijst',
  },
  pl: {
    larger: 'Większe okno',
    width: 'Szerokość czatu',
    keys: 'Skróty klawiszowe',
    back: 'Wróć do czatu',
    send: 'Wyślij wiadomość',
    line: 'Nowy wiersz',
    last: 'W pustym polu: przywołaj ostatnią wiadomość',
    part: 'Przełącz między rozmową a wiadomością',
    scroll: 'Przewijaj rozmowę',
    close: 'Zamknij czat',
    list: 'Poza polem: ta lista',
  },
  ja: {
    larger: 'ウィンドウを広げる',
    width: 'チャットの幅',
    keys: 'キーボードショートカット',
    back: 'チャットに戻る',
    send: 'メッセージを送信',
    line: '改行',
    last: '入力欄が空のとき：直前のメッセージを呼び戻す',
    part: '会話と入力欄の間を移動',
    scroll: '会話をスクロール',
    close: 'チャットを閉じる',
    list: '入力欄の外で：この一覧を表示',
  },
  zh: {
    larger: '放大窗口',
    width: '聊天窗口宽度',
    keys: '键盘快捷键',
    back: '返回聊天',
    send: '发送消息',
    line: '换行',
    last: '输入框为空时：找回上一条消息',
    part: '在对话与输入框之间切换',
    scroll: '滚动对话',
    close: '关闭聊天',
    list: '在输入框外：显示此列表',
  },
};

/** The texts for a BCP 47 tag. */
export function roomTexts(locale: string): RoomTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}
