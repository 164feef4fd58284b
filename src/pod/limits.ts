import type {WrittenLimits} from './written.ts';
import {defaultFileRefLimits, type FileRefLimits} from './submission/limits.ts';

/**
Every number that a person may set, under the key that stands in `inkpod.toml` and `config.toml`.
Bytes, counts and milliseconds; `maxTurns` is absent where a run has no limit.
*/
export type Limits = {
	readonly fileRefs: FileRefLimits;
	readonly tools: {readonly maxOutputBytes: number};
	readonly retry: {readonly maxAttempts: number};
	readonly model: {readonly stallTimeoutMs: number};
	readonly maxTurns?: number;
};

export const defaultLimits: Limits = {
	fileRefs: defaultFileRefLimits,
	tools: {maxOutputBytes: 51_200},
	retry: {maxAttempts: 4},
	model: {stallTimeoutMs: 90_000},
};

/** Model calls of one run in print mode, where nobody watches. On the screen there is no limit. */
export const printMaxTurns = 100;

/** The lines of one `read_file` answer. */
export const readFileLines = 2000;


/** `base` with every limit that `written` sets. */
export function withLimits(base: Limits, written: WrittenLimits): Limits {
	const {file_refs: refs, tools, retry, model} = written;
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
		model: {stallTimeoutMs: model?.stall_timeout === undefined ? base.model.stallTimeoutMs : model.stall_timeout * 1000},
		...(maxTurns === undefined ? {} : {maxTurns}),
	};
}

/** Waits between attempts at a request, in milliseconds: the first, doubled for each further one, up to the last. */
export const retryWaits = {baseMs: 1000, maxMs: 30_000};
