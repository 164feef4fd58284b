/** The maximum sizes of the header and of a line, in bytes. inkpod neither writes nor buffers longer lines. */
export const maxHeaderBytes = 65_536;
export const maxLineBytes = 128 * 1024 * 1024;

/** The maximum number of damaged lines. The user sees each of them. */
export const maxDamaged = 10_000;
