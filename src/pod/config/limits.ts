import type {WrittenLimits, WrittenTimeouts} from './config-schema.ts';

/** The limits for the file refs of one message. */
export type FileRefLimits = {
	/** The maximum number of distinct refs, by path and range. Failed refs count too. */
	readonly maxFiles: number;
	/** The maximum number of bytes of one body, and of all bodies together. */
	readonly maxBytes: number;
	readonly maxTotalBytes: number;
	/** The number of bytes above which inkpod does not read a file at all. */
	readonly maxScanBytes: number;
};

/**
All numbers that a user can set, with their keys in `inkpod.toml` and `config.toml`: bytes, counts and milliseconds. If
`maxTurns` is absent, the number of model calls in a run has no limit. If a time-out in `model` is absent, the default
for local or remote servers applies.
*/
export type Limits = {
	readonly fileRefs: FileRefLimits;
	readonly tools: {readonly maxOutputBytes: number};
	readonly retry: {readonly maxAttempts: number; readonly maxWaitMs: number};
	/** `threshold` is a fraction of the model's context window. */
	readonly compaction: {readonly threshold: number; readonly retainedTokens: number; readonly autoReadTokens: number};
	readonly model: {readonly firstTokenTimeoutMs?: number; readonly stallTimeoutMs?: number};
	readonly maxTurns?: number;
	readonly budget?: BudgetLimits;
};

export const defaultLimits: Limits = {
	fileRefs: {maxFiles: 5, maxBytes: 16_384, maxTotalBytes: 65_536, maxScanBytes: 256 * 1024 * 1024},
	tools: {maxOutputBytes: 51_200},
	retry: {maxAttempts: 6, maxWaitMs: 600_000},
	compaction: {threshold: 0.8, retainedTokens: 8000, autoReadTokens: 8000},
	model: {},
};

/**
The maximum number of model calls in one run in print mode. A run on the screen has no limit by default, because the
user watches the run.
*/
export const printMaxTurns = 100;

/** The maximum number of images and documents in one message. They do not count as files. */
export const maxMedia = 10;

/** The maximum number of lines in one `read_file` result. */
export const readFileLines = 2000;

/** Returns `base` with every limit that `written` sets. */
export function withLimits(base: Limits, written: WrittenLimits): Limits {
	const {file_refs: refs, tools, retry, compaction, model} = written;
	const maxTurns = written.max_turns ?? base.maxTurns;
	const budget = withBudget(base.budget, written.limits);
	return {
		fileRefs: {
			maxBytes: refs?.max_bytes ?? base.fileRefs.maxBytes,
			maxFiles: refs?.max_files ?? base.fileRefs.maxFiles,
			maxTotalBytes: refs?.max_total_bytes ?? base.fileRefs.maxTotalBytes,
			maxScanBytes: refs?.max_scan_bytes ?? base.fileRefs.maxScanBytes,
		},
		tools: {maxOutputBytes: tools?.max_output_bytes ?? base.tools.maxOutputBytes},
		retry: {
			maxAttempts: retry?.max_attempts ?? base.retry.maxAttempts,
			maxWaitMs: retry?.max_wait === undefined ? base.retry.maxWaitMs : retry.max_wait * 1000,
		},
		compaction: {
			threshold: compaction?.threshold ?? base.compaction.threshold,
			retainedTokens: compaction?.retained_tokens ?? base.compaction.retainedTokens,
			autoReadTokens: compaction?.auto_read_tokens ?? base.compaction.autoReadTokens,
		},
		model: {
			...base.model,
			...(model?.first_token_timeout !== undefined && {firstTokenTimeoutMs: model.first_token_timeout * 1000}),
			...(model?.stall_timeout !== undefined && {stallTimeoutMs: model.stall_timeout * 1000}),
		},
		...(maxTurns === undefined ? {} : {maxTurns}),
		...(budget === undefined ? {} : {budget}),
	};
}

/** Returns the time-outs in the table `model` of a configuration file. */
export function timeoutsOf(model: WrittenTimeouts | undefined): WrittenTimeouts | undefined {
	if (model === undefined) return undefined;
	const {first_token_timeout: first, stall_timeout: stall} = model;
	return {
		...(first !== undefined && {first_token_timeout: first}),
		...(stall !== undefined && {stall_timeout: stall}),
	};
}

function withBudget(base: BudgetLimits | undefined, written: WrittenLimits['limits']): BudgetLimits | undefined {
	if (written === undefined) return base;
	return {
		...base,
		sessionCost: written.session_cost ?? base?.sessionCost,
		sessionTurns: written.session_turns ?? base?.sessionTurns,
		dayCost: written.day_cost ?? base?.dayCost,
		dayTurns: written.day_turns ?? base?.dayTurns,
	};
}

/**
The milliseconds between two attempts at a request. Each wait is three times as long as the previous wait, up to the
maximum. The waits between six attempts take two minutes.
*/
export const retryWaits = {baseMs: 1000, maxMs: 80_000};

/**
The maximum number of bytes of a file that a tool changes. The old and the new contents of the file are both in memory.
*/
export const maxChangedBytes = 64 * 1024 * 1024;

/**
The maximum number of bytes of one instructions file, and of all instructions of a session. A file of more than
`maxScanBytes` on disk is not read.
*/
export const instructionLimits = {maxBytes: 32_768, maxTotalBytes: 131_072, maxScanBytes: 4 * 1024 * 1024};

/**
The maximum number of bytes of each kind of configuration file. inkpod refuses a larger file with an error message.
inkpod parses a project's `inkpod.toml` before the first frame, so this file has a low limit.
*/
export const fileBounds = {manifest: 32_768, config: 262_144, mcp: 262_144, gitignore: 65_536} as const;

/** The limits on the cost of requests in USD, and on the number of requests. An absent limit does not apply. */
export type BudgetLimits = {
	/** The limit for the whole session, from `--max-cost`. */
	readonly maxCost?: number | undefined;
	/** The limits for the whole session, from the configuration. */
	readonly sessionCost?: number | undefined;
	readonly sessionTurns?: number | undefined;
	/** The limits for all sessions of this inkpod home since midnight, local time. */
	readonly dayCost?: number | undefined;
	readonly dayTurns?: number | undefined;
};

export type LimitName = keyof BudgetLimits;

export const limitNames: readonly LimitName[] = ['maxCost', 'sessionCost', 'sessionTurns', 'dayCost', 'dayTurns'];

/** The cost and the number of requests until now. `unknown`: the number of requests whose cost is unknown. */
export type Spending = {readonly usd: number; readonly requests: number; readonly unknown: number};

export const noSpending: Spending = {usd: 0, requests: 0, unknown: 0};

export function isCostLimit(name: LimitName): boolean {
	return name === 'maxCost' || name === 'sessionCost' || name === 'dayCost';
}
