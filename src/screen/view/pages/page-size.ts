/** The number of rows and columns of a page. */
export type PageSize = {readonly columns: number; readonly height: number};
