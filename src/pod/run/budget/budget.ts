import type {Clock, History, Interceptor} from '../../../worker/index.ts';
import type {Meter} from '../../ground/counts/meter.ts';
import {totalCost} from '../../ground/counts/spent.ts';
import type {Alert, ModelSpending} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {messageOf} from '../../ground/values/is-record.ts';
import {
	isCostLimit,
	limitNames,
	noSpending,
	type BudgetLimits,
	type LimitName,
	type Spending,
} from '../../config/limits.ts';
import {en, t} from '../../../language/index.ts';
import {constants} from 'node:fs';
import {mkdir, open} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {dirMode, fileMode} from '../../disk/files.ts';

type BudgetOptions = {
	readonly limits: BudgetLimits;
	readonly history: History;
	readonly meter: Pick<Meter, 'spending' | 'earlier' | 'prices'>;
	/** Resolves when the meter has counted the cost of the session before this process started. */
	readonly counted: Promise<void>;
	readonly clock: Clock;
	readonly session: string;
	/** Returns the name of the next request's model. */
	readonly model: () => string;
	/** The folder of the files that record the cost of each day. If absent, the budget records nothing. */
	readonly folder?: string | undefined;
	/** The questions to the user. Absent if no user can answer. */
	readonly asks?: Asks | undefined;
	readonly onAlert: (alert: Alert) => void;
};

/** Enforces the limits on cost and requests, and records the cost of each day. */
export type Budget = {
	/**
	`signal` is the signal of the run. At a limit, the interceptor asks the user. If no user can answer, the interceptor
	ends the run.
	*/
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'preRequest'>>;
};

export function createBudget(options: BudgetOptions): Budget {
	const {limits, asks, onAlert, model} = options;
	const first = spentHere(options.meter);
	const day = createDay(options, first);
	/** The factors by which the user raised limits. */
	const raised = new Map<LimitName, number>();
	/** The number of requests at the time when the user last allowed one more request. */
	let allowed = -1;
	const warned = new Set<string>();
	const warn = (key: string, text: string) => {
		if (!warned.has(key)) onAlert({level: 'warn', text});
		warned.add(key);
	};

	function warnAboutPrices(): void {
		const hasCostLimit = limitNames.some(name => isCostLimit(name) && limits[name] !== undefined);
		if (hasCostLimit && !Object.hasOwn(options.meter.prices(), model()))
			warn(model(), budgetTexts.unknown(model()));
	}

	/** Returns the reached limits, with the spending that counts for each. */
	async function reached(): Promise<readonly Reached[]> {
		const session = spentBy(options.meter);
		const needsDay = limits.dayCost !== undefined || limits.dayTurns !== undefined;
		const today = needsDay ? await day.read(problem => warn('day', budgetTexts.noFile(problem))) : noSpending;
		const spent = {maxCost: session, sessionCost: session, sessionTurns: session, dayCost: today, dayTurns: today};
		return limitNames.flatMap(name => {
			const limit = (limits[name] ?? Infinity) * (raised.get(name) ?? 1);
			return usedOf(name, spent[name]) >= limit ? [{name, limit, spent: spent[name]}] : [];
		});
	}

	async function ask(open: Asks, {name, limit, spent}: Reached, signal: AbortSignal): Promise<boolean> {
		const unraised = limits[name] ?? Infinity;
		// The smallest factor whose limit is not reached yet, so that the same question does not come again
		// immediately.
		const factor = Math.floor(usedOf(name, spent) / unraised) + 1;
		const choices = [
			{choice: 'raise', label: budgetTexts.raise(name, unraised * factor)},
			{choice: 'once', label: budgetTexts.once},
			{choice: 'stop', label: budgetTexts.stop, refuses: true},
		];
		const question = {title: budgetTexts.title(name), detail: budgetTexts.detail(name, limit, spent), choices};
		const answer = await open.ask(question, signal);
		if (answer?.choice === 'raise') raised.set(name, factor);
		if (answer?.choice === 'once') allowed = spentBy(options.meter).requests;
		return answer?.choice === 'raise' || answer?.choice === 'once';
	}

	return {
		interceptor: signal => ({
			async preRequest() {
				warnAboutPrices();
				if (limitNames.some(name => limits[name] !== undefined)) await options.counted;
				for (;;) {
					const [limit] = await reached();
					if (limit === undefined || allowed === spentBy(options.meter).requests) return {type: 'continue'};
					if (asks === undefined)
						return {type: 'limit', cause: budgetTexts.reached(limit.name, limit.limit, limit.spent)};
					if (!(await ask(asks, limit, signal))) return {type: 'pause'};
				}
			},
		}),
	};
}

type Reached = {readonly name: LimitName; readonly limit: number; readonly spent: Spending};

function usedOf(name: LimitName, {usd, requests}: Spending): number {
	return isCostLimit(name) ? usd : requests;
}

type Day = {read(onProblem: (reason: string) => void): Promise<Spending>};

/**
Creates the record of the day's spending. `read` returns the day's sum of all processes. Each record contains the
difference from the last record. In this way, compactions and requests whose price becomes known later also count.
*/
function createDay({folder, history, meter, clock, session}: BudgetOptions, first: Spending): Day {
	if (folder === undefined) return {read: async () => noSpending};
	const file = createDayFile(folder);
	let recorded = first;
	let problem: string | undefined;
	let writing: Promise<void> = Promise.resolve();

	function record(): void {
		const spent = spentHere(meter);
		const added = minus(spent, recorded);
		if (added.requests === 0 && added.usd === 0) return;
		recorded = spent;
		writing = writing
			.then(async () => file.add(added, session, new Date(clock.now())))
			.catch((error: unknown) => void (problem = messageOf(error)));
	}

	history.observe(({type}) => {
		if (type === 'request_end' || type === 'compaction' || type === 'run_end') record();
	});
	return {
		async read(onProblem) {
			record();
			await writing;
			const today = await file.read(new Date(clock.now())).catch((error: unknown) => {
				problem = messageOf(error);
				return minus(spentHere(meter), first);
			});
			if (problem !== undefined) onProblem(problem);
			return today;
		},
	};
}

/**
Returns the spending of this process. Excludes the requests of earlier processes, which the meter may count only later.
*/
function spentHere(meter: Pick<Meter, 'spending' | 'earlier'>): Spending {
	return minus(spentBy(meter), sumOfModels(meter.earlier()));
}

function spentBy(meter: Pick<Meter, 'spending'>): Spending {
	return sumOfModels(meter.spending());
}

function sumOfModels(models: readonly ModelSpending[]): Spending {
	const {usd, unknown} = totalCost(models);
	return {usd, unknown, requests: models.reduce((sum, {requests}) => sum + requests, 0)};
}

function minus(one: Spending, other: Spending): Spending {
	return {
		usd: one.usd - other.usd,
		requests: one.requests - other.requests,
		unknown: one.unknown - other.unknown,
	};
}

/** The texts about the limits on cost and requests. */
const budgetTexts = {
	title: (name: LimitName) => t`Limit reached: ${named[name]}. Continue?`,
	/** `limit` is the reached limit, and `spent` is the spending that counts for it. */
	detail(name: LimitName, limit: number, spent: Spending): string {
		return t`${this.reached(name, limit, spent)}\nSet by ${keys[name]}. Compactions count, too.`;
	},
	reached(name: LimitName, limit: number, {usd, requests, unknown}: Spending): string {
		const span = spans[name];
		if (!isCostLimit(name)) return en`${requests} of ${limit} requests ${span}.`;
		return unknown === 0
			? en`$${money(usd)} of $${money(limit)} spent ${span}.`
			: en`$${money(usd)} of $${money(limit)} spent ${span}, and ${unknown} requests of unknown cost.`;
	},
	raise: (name: LimitName, limit: number) =>
		t`Raise the limit to ${isCostLimit(name) ? `$${money(limit)}` : t`${limit} requests`} for now`,
	once: t`Send one more request`,
	stop: t`Stop here`,
	unknown: (model: string) =>
		t`The cost of ${model} is unknown, so inkpod cannot apply a cost limit. Set its prices in [prices].`,
	noFile: (reason: string) =>
		t`Today’s spending cannot be read or saved (${reason}), so inkpod cannot apply a limit per day.`,
};

const named: Readonly<Record<LimitName, string>> = {
	maxCost: t`cost of this session`,
	sessionCost: t`cost of this session`,
	sessionTurns: t`requests of this session`,
	dayCost: t`cost today`,
	dayTurns: t`requests today`,
};

const spans: Readonly<Record<LimitName, string>> = {
	maxCost: en`in this session`,
	sessionCost: en`in this session`,
	sessionTurns: en`in this session`,
	dayCost: en`today, in all sessions`,
	dayTurns: en`today, in all sessions`,
};

const keys: Readonly<Record<LimitName, string>> = {
	maxCost: '--max-cost',
	sessionCost: t`limits.session_cost in config.toml`,
	sessionTurns: t`limits.session_turns in config.toml`,
	dayCost: t`limits.day_cost in config.toml`,
	dayTurns: t`limits.day_turns in config.toml`,
};

function money(usd: number): string {
	return usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2);
}

/**
The file with the spending of one day in all sessions of this inkpod home. Each process appends its lines, each in a
single write. So several processes can write at the same time, and no process overwrites the lines of another.
*/
type DayFile = {
	add(spending: Spending, session: string, at: Date): Promise<void>;
	/** Returns the sum of the day's lines. Rejects with the system's error. */
	read(at: Date): Promise<Spending>;
};

function createDayFile(folder: string): DayFile {
	let known: {readonly path: string; readonly end: number; readonly sum: Spending} | undefined;
	return {
		async add(spending, session, at) {
			await mkdir(folder, {recursive: true, mode: dirMode});
			const file = await open(pathOf(folder, at), appending, fileMode);
			try {
				// Each record also begins with a newline, so that it never continues an incomplete line.
				await file.appendFile(`\n${JSON.stringify({at: at.toISOString(), session, ...spending})}\n`);
			} finally {
				await file.close();
			}
		},
		async read(at) {
			const path = pathOf(folder, at);
			const from = known?.path === path ? known : {path, end: 0, sum: noSpending};
			const bytes = await readFrom(path, from.end);
			const whole = bytes.subarray(0, bytes.lastIndexOf(newline) + 1);
			known = {path, end: from.end + whole.length, sum: linesIn(whole).reduce(sumOf, from.sum)};
			return known.sum;
		},
	};
}

function sumOf(one: Spending, other: Spending): Spending {
	return {
		usd: one.usd + other.usd,
		requests: one.requests + other.requests,
		unknown: one.unknown + other.unknown,
	};
}

const {O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY} = constants;

const appending = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const newline = 0x0a;

/** The maximum number of bytes to read. No day has so many requests. */
const maxBytes = 64 * 1024 * 1024;

const lineSchema = z.object({usd: z.number(), requests: z.number(), unknown: z.number()});

/** Returns the path of a day's file. The day is in the local time zone. */
function pathOf(folder: string, at: Date): string {
	const two = (value: number) => String(value).padStart(2, '0');
	return join(folder, `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.jsonl`);
}

async function readFrom(path: string, start: number): Promise<Buffer> {
	const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw error;
	});
	if (file === undefined) return Buffer.alloc(0);
	try {
		const {size} = await file.stat();
		const length = Math.max(0, Math.min(size, maxBytes) - start);
		const bytes = Buffer.alloc(length);
		const {bytesRead} = await file.read(bytes, 0, length, start);
		return bytes.subarray(0, bytesRead);
	} finally {
		await file.close();
	}
}

/** Returns the spending in each line. Skips damaged lines. */
function linesIn(bytes: Buffer): readonly Spending[] {
	return bytes
		.toString('utf8')
		.split('\n')
		.flatMap(line => {
			try {
				const {success, data} = lineSchema.safeParse(JSON.parse(line));
				return success ? [data] : [];
			} catch {
				return [];
			}
		});
}
