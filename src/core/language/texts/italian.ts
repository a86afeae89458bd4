import type { ServerTexts } from '../server-texts.ts';

export const italian: ServerTexts = {
  tourActionsTitle: 'Che cosa puoi chiedere',
  tourActionsText: 'Apri la chat e di’ che cosa ti serve: {actions}',
  errors: {
    message_too_long: 'Il messaggio è troppo lungo: sono ammessi al massimo {max} caratteri.',
    unsafe_message: 'A questo messaggio non si può rispondere qui. Lo formuli in un altro modo.',
    safety_check_unavailable:
      'Non è stato possibile controllare il messaggio, quindi non ha avuto risposta. Riprovi più tardi.',
    out_of_scope: 'Qui non posso aiutarla su questo argomento. Chieda qualcosa su questa applicazione.',
    reply_withheld:
      'La risposta non ha superato un controllo e non viene mostrata. Formuli la domanda in un altro modo.',
    too_many_images: 'Troppe immagini. Limite per messaggio: {max}.',
    image_too_large: "Un'immagine è troppo grande: sono ammessi al massimo {max} MB.",
    rate_limited: 'Hai inviato molti messaggi in poco tempo. Attendi un po’ e riprova.',
    invalid_request: 'Il messaggio è vuoto. Scrivi qualcosa.',
    overloaded: 'In questo momento sono in corso troppe risposte. Attendi un po’ e riprova.',
    turn_in_progress: "Un'altra risposta è ancora in corso. Aspetta che finisca oppure fermala.",
    server_draining: 'Il server si sta riavviando. Riprova tra un momento.',
    model_unavailable: "L'assistente non è raggiungibile in questo momento. Riprova.",
    model_timeout: "L'assistente ha impiegato troppo tempo a rispondere. Riprova.",
    model_refused: "L'assistente non può rispondere a questo messaggio.",
    tool_loop_limit: "L'assistente non è riuscito a completare la richiesta. Prova a dividerla in passi più piccoli.",
    interrupted:
      'Il server si è interrotto prima di completare la risposta. Verifichi che cosa è stato fatto prima di riprovare.',
    internal: 'Qualcosa è andato storto. Riprova.',
  },
  modelKeyRefused: "L'assistente non è configurato correttamente. Avvisa chi gestisce questa applicazione.",
  messageOverWindow:
    "Il messaggio, con ciò che lo accompagna, è troppo lungo per l'assistente. Accorcialo, per favore.",
  actionFailed: "Non è stato possibile completare l'azione.",
  actionUnavailable: 'Il sistema che esegue questa azione non è raggiungibile al momento. Riprova più tardi.',
  actionUnknown: "Non si sa se l'azione sia stata completata. Verifica prima di riprovare.",
  roleMissing: 'Serve il ruolo {roles}, che non hai. Non è stato cambiato nulla.',
  actionSwitchedOff: 'Questa azione è al momento disattivata. Non è stato cambiato nulla.',
  hostedTools: {
    WebSearch: 'Ricerca sul web',
    FileSearch: 'Ricerca nei file',
    CodeInterpreter: 'Interprete di codice',
  },
  hostedDescription: 'Il fornitore del modello di IA esegue questa chiamata presso {server}.',
  hostedRanUnasked: '“{action}” è stata eseguita senza chiedere prima il consenso. Verifica che cosa è stato fatto.',
  argumentRules: {
    missing: 'manca',
    tooShort: 'troppo corto (lunghezza minima: {limit})',
    tooLong: 'troppo lungo (lunghezza massima: {limit})',
    tooSmall: 'deve essere almeno {limit}',
    tooLarge: 'deve essere al massimo {limit}',
    notMore: 'deve essere maggiore di {limit}',
    notLess: 'deve essere minore di {limit}',
    tooFew: 'troppo pochi elementi (minimo: {limit})',
    tooMany: 'troppi elementi (massimo: {limit})',
    notOneOf: 'valori ammessi: {limit}',
    notWhole: 'deve essere un numero intero',
    other: 'qui non va bene',
  },
};
