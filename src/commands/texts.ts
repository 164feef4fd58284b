/** The texts that `inkpod sessions`, `context`, `verify` and `notify` print. */
export const noSessions = 'No sessions yet.';

export const noSessionsHere = 'No sessions in this directory. List all with: inkpod sessions --all';

export const noRequestYet = 'This session has no request yet: it has no setup (model, prompt and tools).';

export const noSocketFolder = 'No folder for sockets is available, so no session can be reached.';

export const sound = 'The session is intact.';

export const soundToEnd = 'The session is intact up to its unfinished end, which the next start repairs.';

/** Says where the copy of a damaged session is. */
export function repairedAs(damaged: string, copy: string): string {
	return `The copy is session ${copy}. Session ${damaged} is unchanged. Resume the copy with: inkpod -r ${copy}`;
}

export const damaged = 'The session is damaged.';

export const sameRequests = 'No request differs from what was sent.';

/** Returns a count with its noun: `12 sessions`, `1 session`. */
export function counted(count: number, noun: string): string {
	return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

export function age(ms: number): string {
	for (const [unit, name] of ages) if (ms >= unit) return `${Math.floor(ms / unit)} ${name} ago`;
	return 'just now';
}

export function size(bytes: number): string {
	for (const [unit, name] of sizes) if (bytes >= unit) return `${(bytes / unit).toFixed(1)} ${name}`;
	return `${bytes} B`;
}

const ages = [
	[86_400_000, 'd'],
	[3_600_000, 'h'],
	[60_000, 'min'],
] as const;

const sizes = [
	[1_000_000_000, 'GB'],
	[1_000_000, 'MB'],
	[1000, 'KB'],
] as const;

export function forkOf(words: string, session: string): string {
	return `${words} (fork of ${session})`;
}

export function windowShare(tokens: number, window: number | undefined): string {
	return window === undefined ? 'window unknown' : `${Math.round((tokens / window) * 100)}% of ${number(window)}`;
}

export function number(value: number): string {
	return value.toLocaleString('en-US');
}

export const fileStates = {changed: 'changed on disk', gone: 'deleted from disk'} as const;

export function summaryOf(items: number): string {
	return `summary of ${counted(items, 'item')}`;
}

export function partOf(bytes: number, total: number): string {
	return `${number(bytes)} of ${number(total)} bytes`;
}

export function createdIn(id: string, created: string, cwd: string, fork: string | undefined): string {
	return `${id}, created ${created} in ${cwd}${fork === undefined ? '' : `, fork of ${fork}`}`;
}

export function checkResult(failures: number, notes: number): string {
	if (failures > 0) return counted(failures, 'failure');
	return notes === 0 ? 'ok' : `ok, ${counted(notes, 'note')}`;
}

export function finding(level: 'note' | 'failure', line: number | undefined, sentence: string): string {
	return `${level === 'note' ? 'note' : 'FAILURE'}${line === undefined ? '' : ` at line ${line}`}: ${sentence}`;
}

type RequestCounts = {
	readonly same: number;
	readonly different: number;
	readonly unchecked: number;
	readonly unsent: number;
	readonly unmade: number;
};

export function requestCounts({same, different, unchecked, unsent, unmade}: RequestCounts): string {
	const total = same + different + unchecked + unsent + unmade;
	const damaged = unchecked === 0 ? '' : `, ${unchecked} that cannot be checked because of the damage`;
	const others = `${unmade} that cannot be rebuilt, ${unsent} never sent`;
	return `${total}: ${same} identical, ${different} different${damaged}, ${others}`;
}

type DifferentRequest = {
	readonly n: number;
	readonly id: string;
	readonly at: string;
	readonly made: string;
	readonly sent: string;
};

export function differentRequest({n, id, at, made, sent}: DifferentRequest): string {
	return `FAILURE at request ${n} (${id}, ${at}): rebuilt as ${made}, but ${sent} was sent.`;
}
