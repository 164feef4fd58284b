/** A call of a tool that the guide makes. */
export type Call = {readonly name: string; readonly args: Readonly<Record<string, unknown>>};

/** What the guide answers. Without calls it is done. */
export type Reply = {readonly text: string; readonly calls: readonly Call[]};
