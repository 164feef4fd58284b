/** `process.stdout`, or a stub in tests. */
export type Output = {readonly write: (text: string) => unknown};
