/** The texts for a step of a run. `short` is for narrow screens. */
export const stepTexts = {
	resolving: {text: 'Reading files', short: 'Reading'},
	requesting: {text: 'Waiting for the model', short: 'Waiting'},
	streaming: {text: 'Answering', short: 'Answering'},
	tools: {text: 'Running tools', short: 'Tools'},
	compacting: {text: 'Compacting', short: 'Compacting'},
} as const;

export const stateTexts = {
	asking: {text: 'approval needed', short: 'approval'},
	retrying: {text: 'Retrying', short: ''},
	paused: {text: 'interrupted', short: 'stopped'},
	idle: {text: 'idle', short: 'idle'},
	running: {text: 'Running', short: 'Running'},
} as const;

export function inSeconds(text: string, seconds: number): string {
	return `${text} in ${seconds} s`;
}

/** The words that follow the name of a key in the status line. */
export const keyHints = {
	quitAgain: 'again to quit',
	stop: 'to stop',
	cancel: 'to cancel',
	steer: 'to steer',
	continue: 'to continue',
	logIn: 'for another key',
	discard: 'to discard',
	send: 'to send',
	view: 'view',
	quit: 'to quit',
} as const;

export const loadingRest = 'loading the rest…';
export const opening = 'opening…';
export const scrolled = '↓ scrolled';
export const mouseIsOff = 'mouse off';

export function statusSentence(facts: readonly string[]): string {
	return `Status: ${facts.join(', ')}`;
}

export function queuedCount(count: number): string {
	return `${count} queued ${count === 1 ? 'message' : 'messages'}`;
}

export function queuedShort(count: number): string {
	return `${count} queued`;
}

/** `model` is used from the end of the run on. */
export function nextIs(model: string): string {
	return `next: ${model}`;
}

export function nextShort(model: string): string {
	return `→ ${model}`;
}

export function backgroundCount(count: number): string {
	return `${count} in background`;
}

export function backgroundShort(count: number): string {
	return `${count} bg`;
}

export const approvalTexts = {
	ask: {text: 'ask', short: 'ask'},
	'accept-edits': {text: 'accept-edits', short: 'accept-edits'},
	auto: {text: 'auto-approve: commands are not sandboxed', short: 'auto'},
} as const;

/** Returns the marks for a read-only working directory and for the number of other readable directories. */
export function scopeMark(readRoots: number, isWritable: boolean): string {
	const dirs = readRoots === 1 ? 'dir' : 'dirs';
	if (isWritable) return readRoots === 0 ? '' : ` (+${readRoots} read-only ${dirs})`;
	return readRoots === 0 ? ' (read-only)' : ` (read-only, +${readRoots} ${dirs})`;
}

export const readOnlyShort = ' (ro)';
