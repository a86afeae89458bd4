/** Stands before a request in the conversation of the agent to whom it is handed over. */
export const requestMark = 'For you: ';
