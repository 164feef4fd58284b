import type {WrittenLimits} from './config-schema.ts';

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

/**
Every number that a user may set, by its key in `inkpod.toml` and `config.toml`.
Bytes, counts and milliseconds. `maxTurns` is absent where a run has no limit, `stallTimeoutMs` where the model's wire
knows best.
*/
export type Limits = {
	readonly fileRefs: FileRefLimits;
	readonly tools: {readonly maxOutputBytes: number};
	readonly retry: {readonly maxAttempts: number};
	/** `threshold` is a share of the model's window. */
	readonly compaction: {readonly threshold: number; readonly retainedTokens: number; readonly autoReadTokens: number};
	readonly model: {readonly stallTimeoutMs?: number};
	readonly maxTurns?: number;
};

export const defaultLimits: Limits = {
	fileRefs: {maxFiles: 5, maxBytes: 16_384, maxTotalBytes: 65_536, maxScanBytes: 256 * 1024 * 1024},
	tools: {maxOutputBytes: 51_200},
	retry: {maxAttempts: 4},
	compaction: {threshold: 0.8, retainedTokens: 8000, autoReadTokens: 8000},
	model: {},
};

/** Model calls of one run in print mode, where nobody watches. On the screen they are not limited. */
export const printMaxTurns = 100;

/** The lines of one `read_file` answer. */
export const readFileLines = 2000;

/** `base` with every limit that `written` sets. */
export function withLimits(base: Limits, written: WrittenLimits): Limits {
	const {file_refs: refs, tools, retry, compaction, model} = written;
	const maxTurns = written.max_turns ?? base.maxTurns;
	return {
		fileRefs: {
			maxBytes: refs?.max_bytes ?? base.fileRefs.maxBytes,
			maxFiles: refs?.max_files ?? base.fileRefs.maxFiles,
			maxTotalBytes: refs?.max_total_bytes ?? base.fileRefs.maxTotalBytes,
			maxScanBytes: refs?.max_scan_bytes ?? base.fileRefs.maxScanBytes,
		},
		tools: {maxOutputBytes: tools?.max_output_bytes ?? base.tools.maxOutputBytes},
		retry: {maxAttempts: retry?.max_attempts ?? base.retry.maxAttempts},
		compaction: {
			threshold: compaction?.threshold ?? base.compaction.threshold,
			retainedTokens: compaction?.retained_tokens ?? base.compaction.retainedTokens,
			autoReadTokens: compaction?.auto_read_tokens ?? base.compaction.autoReadTokens,
		},
		model: model?.stall_timeout === undefined ? base.model : {stallTimeoutMs: model.stall_timeout * 1000},
		...(maxTurns === undefined ? {} : {maxTurns}),
	};
}

/** Waits between attempts at a request, in milliseconds: the first, doubled for each further one, up to the last. */
export const retryWaits = {baseMs: 1000, maxMs: 30_000};

/** A larger file is not changed by a tool: it is held in memory, before and after. In bytes. */
export const maxChangedBytes = 64 * 1024 * 1024;

/**
Bytes of one file of instructions and of all instructions of a session. A file that is larger on disk than
`maxScanBytes` is not read.
*/
export const instructionLimits = {maxBytes: 32_768, maxTotalBytes: 131_072, maxScanBytes: 4 * 1024 * 1024};

/**
Bytes of each kind of file that inkpod parses by itself. A larger one is refused with a sentence. A project's
`inkpod.toml` is read before the first frame, which shows what it says: its bound is what is parsed in no noticeable
time.
*/
export const fileBounds = {manifest: 32_768, config: 262_144, mcp: 262_144, gitignore: 65_536} as const;
