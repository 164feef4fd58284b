/** The limits when a bundle is read: the number of entries, and the size in bytes. */
export const maxEntries = 100_000;
export const maxDecodedBytes = 4 * 1024 ** 3;
/**
A compressed bundle is decoded into memory, so its limits are lower. They limit the total size, the size of all
histories, the size of a line, and the number of brackets, commas and colons, because each of these characters can begin
an object. With these limits, reading a bundle needs less than 256 MB of memory.
*/
export const maxUnzippedBytes = 40 * 1024 ** 2;
export const maxUnzippedHistory = 16 * 1024 ** 2;
export const maxUnzippedLine = 5 * 1024 ** 2;
export const maxHistoryMarks = 1_200_000;
