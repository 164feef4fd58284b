/** How much the file refs of one message may bring in. */
export type FileRefLimits = {
	/** Distinct path and range, failed ones included. */
	readonly maxFiles: number;
	/** Of one body, and of all bodies together. */
	readonly maxBytes: number;
	readonly maxTotalBytes: number;
	/** A larger file is not read at all. */
	readonly maxScanBytes: number;
};

export const defaultFileRefLimits: FileRefLimits = {maxFiles: 5, maxBytes: 16_384, maxTotalBytes: 65_536, maxScanBytes: 256 * 1024 * 1024};
