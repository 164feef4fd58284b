/** The size of a screen in cells. */
export type Size = {readonly columns: number; readonly rows: number};
