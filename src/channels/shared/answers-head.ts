/** The options of routes that only read. HEAD gets the same headers as GET. Routes that run a turn do not use it. */
export const answersHead = { exposeHeadRoute: true } as const;
