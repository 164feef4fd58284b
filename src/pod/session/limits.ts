/** In bytes. inkpod writes no longer lines, and does not buffer them. */
export const maxHeaderBytes = 65_536;
export const maxLineBytes = 128 * 1024 * 1024;

/** Each damaged line is shown. */
export const maxDamaged = 10_000;
