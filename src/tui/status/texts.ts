/** The texts for a step of a run. `short` is for narrow screens. */
export const stepTexts = {
	resolving: {text: 'Reading files', short: 'Reading'},
	requesting: {text: 'Waiting for the model', short: 'Waiting'},
	streaming: {text: 'Answering', short: 'Answering'},
	tools: {text: 'Running tools', short: 'Tools'},
	compacting: {text: 'Compacting', short: 'Compacting'},
} as const;

export const thinking = {text: 'Thinking', short: 'Thinking'} as const;

/** `model` is the name of the model without its provider. */
export function waitingFor(model: string): string {
	return `Waiting for ${model}`;
}

/** What a tool does: the verb for one call, and the words for several. */
export const acts = {
	command: {verb: 'Running', many: 'commands'},
	read: {verb: 'Reading', many: 'files'},
	edit: {verb: 'Editing', many: 'files'},
	search: {verb: 'Searching', many: 'patterns'},
	child: {verb: 'Running', many: 'pods'},
	tool: {verb: 'Running', many: 'tools'},
} as const;
export type Act = keyof typeof acts;

/** Returns the words for several calls at once. */
export function manyActs(act: Act, count: number): {readonly text: string; readonly short: string} {
	const {verb, many} = acts[act];
	return {text: `${verb} ${count} ${many}`, short: verb};
}

/** `count` is a formatted number of tokens. */
export function receivedTokens(count: string, isExact: boolean): string {
	return `${isExact ? '' : '≈'}${count} tokens`;
}

/** Returns the time of a turn in whole seconds: `12 s`, `2 min 5 s`, `1 h 2 min`. */
export function elapsedTime(seconds: number): string {
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns the time of a running call, as it follows the call's title. */
export function callTime(seconds: number): string {
	return ` · ${elapsedTime(seconds)}`;
}

/** Returns the way to move a running command to the background. Ctrl+B moves the cursor in a message. */
export function moveHint(isDraftEmpty: boolean): string {
	return ` · ${isDraftEmpty ? 'Ctrl+B' : '/background'} to background`;
}

export const stateTexts = {
	asking: {text: 'approval needed', short: 'approval'},
	question: {text: 'answer needed', short: 'answer'},
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
	back: 'back to parent',
	nextChild: 'next child',
	cancel: 'to cancel',
	steer: 'to steer',
	continue: 'to continue',
	logIn: 'for another key',
	discard: 'to discard',
	send: 'to send',
	view: 'view',
	quit: 'to quit',
	stay: 'to stay',
} as const;

/** `what`: a running command, or the answer of the model. */
export function detachingWhen(what: string): string {
	return `Detaching when ${what} ends`;
}

export const detaching = 'Detaching';
export const theAnswer = 'the answer';
export const theTools = 'the last tool';

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
	plan: {text: 'plan: read-only', short: 'plan'},
	auto: {text: 'auto-approve, confined', short: 'auto'},
} as const;

/** The mode `auto` where commands are not confined. */
export const autoUnconfined = 'auto-approve: not confined';

/** Whether commands are confined. */
export const confinedText = 'confined';

/** `why` is a sentence. */
export function unconfinedText(why: string): {readonly text: string; readonly short: string} {
	const short = 'not confined';
	return {text: `${short}: ${why.replace(/\.$/, '')}`, short};
}

/** Returns the marks for a read-only working directory and for the number of other readable directories. */
export function scopeMark(readRoots: number, isWritable: boolean): string {
	const dirs = readRoots === 1 ? 'dir' : 'dirs';
	if (isWritable) return readRoots === 0 ? '' : ` (+${readRoots} read-only ${dirs})`;
	return readRoots === 0 ? ' (read-only)' : ` (read-only, +${readRoots} ${dirs})`;
}

export const readOnlyShort = ' (ro)';

/** What a child session does while it runs no tool. */
export const childTexts = {
	waiting: 'waits for another child to end',
	paused: 'interrupted',
	notRunning: 'interrupted',
	ended: 'ended',
	asks: 'needs you',
} as const;

/** Returns the words for a number of child sessions, and how many of them wait for the user. */
export function podCount(count: number, needs: number): string {
	const pods = `${count} ${count === 1 ? 'pod' : 'pods'}`;
	return needs === 0 ? pods : `${pods} · ${needs} ${needs === 1 ? 'needs' : 'need'} you`;
}

/** The mark of a session that is a child. `title` is inert. */
export function childOf(title: string): string {
	return `child: ${title}`;
}
