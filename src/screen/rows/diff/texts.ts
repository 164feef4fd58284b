/** Stands between two hunks for the lines that are not shown. */
export const hunkGap = '…';
