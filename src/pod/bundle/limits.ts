/** The limits of a bundle that is read. */
export const maxEntries = 100_000;
export const maxDecodedBytes = 4 * 1024 ** 3;
/**
A compressed bundle is decoded into memory, so it has less: in all, in its histories, and in brackets, commas and colons
of its histories, each of which may become an object. Reading it takes less than 256 MB.
*/
export const maxUnzippedBytes = 48 * 1024 ** 2;
export const maxUnzippedHistory = 20 * 1024 ** 2;
export const maxHistoryMarks = 1_500_000;
