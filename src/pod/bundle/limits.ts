/** The limits of a bundle that is read. */
export const maxEntries = 100_000;
export const maxDecodedBytes = 4 * 1024 ** 3;
