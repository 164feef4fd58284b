/** A tool call of the guide. */
export type Call = {readonly name: string; readonly args: Readonly<Record<string, unknown>>};

/** An answer of the guide. An answer without calls is the last one. */
export type Reply = {readonly text: string; readonly calls: readonly Call[]};
