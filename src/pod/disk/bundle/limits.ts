/** The limits of a bundle that is read. */
export const maxEntries = 100_000;
export const maxDecodedBytes = 4 * 1024 ** 3;
/**
A compressed bundle is decoded into memory, so it has less: in all, in its histories, in a line of them, and in
brackets, commas and colons, each of which may become an object. Reading it takes less than 256 MB.
*/
export const maxUnzippedBytes = 40 * 1024 ** 2;
export const maxUnzippedHistory = 16 * 1024 ** 2;
export const maxUnzippedLine = 5 * 1024 ** 2;
export const maxHistoryMarks = 1_200_000;
