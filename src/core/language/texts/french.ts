import type { ServerTexts } from '../server-texts.ts';

export const french: ServerTexts = {
  locale: 'fr',
  withdrawn: 'Le texte ci-dessus a été retiré.',
  tourActionsTitle: 'Ce que vous pouvez demander',
  tourActionsText: 'Ouvrez le chat et dites ce qu’il vous faut : {actions}',
  errors: {
    message_too_long: 'Le message est trop long : {max} caractères au maximum.',
    unsafe_message: 'Ce message ne peut pas recevoir de réponse ici. Veuillez le formuler autrement.',
    safety_check_unavailable:
      'Le message n’a pas pu être vérifié et n’a donc pas reçu de réponse. Veuillez réessayer plus tard.',
    out_of_scope: 'Je ne peux pas vous aider à ce sujet ici. Veuillez poser une question sur cette application.',
    reply_withheld:
      'La réponse n’a pas passé une vérification et n’est pas affichée. Veuillez poser la question autrement.',
    too_many_images: 'Trop d’images. Limite par message : {max}.',
    image_too_large: 'Une image est trop volumineuse : {max} Mo au maximum.',
    too_many_files: 'Trop de fichiers. Limite par message : {max}.',
    file_too_large: 'Un fichier est trop volumineux : {max} Mo au maximum.',
    file_unreadable: 'Impossible de lire « {name} ». {why}',
    rate_limited: 'Vous avez envoyé beaucoup de messages en peu de temps. Veuillez patienter un peu, puis réessayer.',
    budget_exceeded: 'Votre budget pour l’assistant est épuisé. Il pourra de nouveau répondre à partir du : {when}.',
    invalid_request: 'Le message est vide. Veuillez écrire quelque chose.',
    overloaded: 'Trop de messages sont en cours de traitement en ce moment. Veuillez patienter un peu, puis réessayer.',
    turn_in_progress: 'Une autre réponse est encore en cours. Attendez-la ou arrêtez-la.',
    resend_refused: 'Ce message ne peut plus être remplacé : il a déjà donné lieu à une action, ou un autre l’a suivi.',
    server_draining: 'Le serveur redémarre. Veuillez réessayer dans un instant.',
    model_unavailable: "L'assistant est injoignable pour le moment. Veuillez réessayer.",
    model_timeout: "L'assistant a mis trop de temps à répondre. Veuillez réessayer.",
    model_refused: "L'assistant ne peut pas répondre à ce message.",
    model_misconfigured:
      "L'assistant n'est pas configuré correctement. Veuillez prévenir les responsables de cette application.",
    model_quota_exceeded:
      "L'assistant a épuisé son quota auprès du fournisseur de son modèle. Veuillez prévenir les responsables de cette application.",
    model_no_reply: "L'assistant n'a donné aucune réponse. Veuillez réessayer ou poser la question autrement.",
    reply_cut:
      "La réponse a été coupée parce qu'elle devenait trop longue. Demandez la suite ou une réponse plus courte.",
    tool_loop_limit: "L'assistant n'a pas pu terminer cette demande. Essayez par étapes plus petites.",
    interrupted:
      'Le serveur a été interrompu avant la fin de la réponse. Vérifiez ce qui a été fait avant de réessayer.',
    internal: "Une erreur s'est produite. Veuillez réessayer.",
  },
  unreadable: {
    locked: 'Le fichier est protégé par un mot de passe.',
    empty: 'Le fichier ne contient pas de texte ; c’est peut-être un document numérisé.',
    costly: 'Le fichier est trop volumineux ou trop complexe.',
    damaged: 'Le fichier est endommagé ou n’est pas du type que son nom indique.',
  },
  fileCut: 'Seul le début de « {name} » a été lu : {read} caractères sur {all}.',
  leftOut: {
    disabled: 'Laissé de côté, car les pièces jointes de ce genre sont désactivées : {names}.',
    noImage: 'Laissé de côté, car ce n’est pas une image lisible : {names}.',
    imageType: 'Laissé de côté, car les images de ce type ne sont pas acceptées : {names}.',
    fileType: 'Laissé de côté, car les fichiers de ce type ne sont pas acceptés : {names}.',
  },
  tryAgain: 'Vous avez envoyé beaucoup de messages en peu de temps. Veuillez réessayer {when}.',
  messageOverWindow: 'Le message, avec ce qui l’accompagne, est trop long pour l’assistant. Veuillez le raccourcir.',
  budgetHeld: 'Le reste de votre budget est réservé aux réponses en cours. Veuillez réessayer dans un instant.',
  actionFailed: "L'action n'a pas pu être effectuée.",
  actionUnavailable:
    'Le système qui exécute cette action est injoignable pour le moment. Veuillez réessayer plus tard.',
  questionNotStored:
    "Une action n'a pas pu vous être soumise pour confirmation, car la question n'a pas pu être enregistrée. Rien n'a été modifié. Veuillez réessayer plus tard.",
  actionUnknown: "On ne sait pas si l'action a été effectuée. Vérifiez avant de réessayer.",
  roleMissing: "Il faut le rôle {roles}, que vous n'avez pas. Rien n'a été modifié.",
  actionSwitchedOff: "Cette action est désactivée pour le moment. Rien n'a été modifié.",
  hostedTools: {
    WebSearch: 'Recherche sur le Web',
    FileSearch: 'Recherche dans les fichiers',
    CodeInterpreter: 'Interpréteur de code',
  },
  hostedDescription: 'Le fournisseur du modèle d’IA effectue cet appel auprès de {server}.',
  hostedRanUnasked:
    '« {action} » a été exécutée alors que votre accord aurait dû être demandé. Veuillez vérifier ce qui a été fait.',
  honesty: {
    takenBack: 'La réponse affichée ici annonçait une modification qui n’a pas été faite ; elle a donc été retirée.',
    nothingChanged: 'Rien n’a été modifié.',
    reallyDone: 'Voici ce qui a réellement été fait :',
    notLookedUp: 'Je n’ai pas pu consulter l’enregistrement concerné et ne peux donc rien en dire.',
    unsupported: 'Ce que j’ai trouvé ne permet pas d’étayer une réponse ; je ne peux donc pas en donner.',
    statuses: {
      succeeded: 'fait',
      failed: 'échoué',
      declined: 'refusé par vous, pas fait',
      refused: 'non autorisé, pas fait',
      cancelled: 'pas fait',
      unknown: 'incertain, veuillez vérifier',
    },
  },
  argumentRules: {
    missing: 'manque',
    tooShort: 'trop court (longueur minimale : {limit})',
    tooLong: 'trop long (longueur maximale : {limit})',
    tooSmall: 'au minimum {limit}',
    tooLarge: 'au maximum {limit}',
    notMore: 'doit être supérieur à {limit}',
    notLess: 'doit être inférieur à {limit}',
    tooFew: 'pas assez d’éléments (minimum : {limit})',
    tooMany: 'trop d’éléments (maximum : {limit})',
    notOneOf: 'valeurs possibles : {limit}',
    notWhole: 'doit être un nombre entier',
    other: 'ne convient pas ici',
  },
};
