import {t} from '../../../language/index.ts';

/** The texts for the steps of a run. `short` is for narrow screens. */
export const stepTexts = {
	resolving: {text: t`Reading files`, short: t`Reading`},
	requesting: {text: t`Waiting for the model`, short: t`Waiting`},
	streaming: {text: t`Answering`, short: t`Answering`},
	tools: {text: t`Running tools`, short: t`Tools`},
	compacting: {text: t`Compacting`, short: t`Compacting`},
} as const;

export const thinking = {text: t`Thinking`, short: t`Thinking`} as const;

/** `model` is the name of the model without its provider. */
export function waitingFor(model: string): string {
	return t`Waiting for ${model}`;
}

/** `time` is the time since the request, while no answer has begun. */
export function waitingLong(model: string, time: string): string {
	return t`Waiting ${time} for ${model}`;
}

/** The kinds of work that a tool does: the verb, and the objects if several calls are running. */
export const acts = {
	command: {verb: t`Running`, many: t`commands`},
	read: {verb: t`Reading`, many: t`files`},
	edit: {verb: t`Editing`, many: t`files`},
	search: {verb: t`Searching`, many: t`patterns`},
	child: {verb: t`Running`, many: t`children`},
	tool: {verb: t`Running`, many: t`tools`},
} as const;
export type Act = keyof typeof acts;

/** Returns the words for several calls that run at the same time. */
export function manyActs(act: Act, count: number): {readonly text: string; readonly short: string} {
	const {verb, many} = acts[act];
	return {text: `${verb} ${count} ${many}`, short: verb};
}

/** `count` is a formatted number of tokens. */
export function receivedTokens(count: string, isExact: boolean): string {
	return t`${isExact ? '' : '≈'}${count} tokens`;
}

/** `count` is the formatted number of tokens of the next request. */
export function contextTokens(count: string): string {
	return t`${count} tokens`;
}

/** Returns the time of a turn in whole seconds: `12 s`, `2 min 5 s`, `1 h 2 min`. */
export function elapsedTime(seconds: number): string {
	if (seconds < 60) return t`${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return t`${minutes} min ${seconds % 60} s`;
	return t`${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns the text after the title of a running call, with the call's time. */
export function callTime(seconds: number): string {
	return ` · ${elapsedTime(seconds)}`;
}

/**
Returns the hint about moving a running command to the background. Ctrl+B does this only if the draft is empty, because
otherwise it moves the cursor.
*/
export function moveHint(isDraftEmpty: boolean): string {
	return t`${isDraftEmpty ? t`Ctrl+B` : t`/background`} to background`;
}

export const stateTexts = {
	asking: {text: t`approval needed`, short: t`approval`},
	question: {text: t`answer needed`, short: t`answer`},
	retrying: {text: t`Retrying`, short: ''},
	paused: {text: t`interrupted`, short: t`stopped`},
	idle: {text: t`idle`, short: t`idle`},
	running: {text: t`Running`, short: t`Running`},
} as const;

export function inSeconds(text: string, seconds: number): string {
	return t`${text} in ${seconds} s`;
}

/** In the status line, these words follow the name of a key. */
export const keyHints = {
	quitAgain: t`again to quit`,
	stop: t`to stop`,
	back: t`back to parent`,
	nextChild: t`next child`,
	cancel: t`to cancel`,
	steer: t`to send now`,
	continue: t`to continue`,
	logIn: t`for another key`,
	discard: t`to discard`,
	send: t`to send`,
	view: t`view`,
	quit: t`to quit`,
	stay: t`to stay`,
} as const;

/** `what` is the running command, or the answer of the model. */
export function detachingWhen(what: string): string {
	return t`Detaching when ${what} ends`;
}

export const detaching = t`Detaching`;
export const theAnswer = t`the answer`;
export const theTools = t`the last tool`;

export const loadingRest = t`loading the rest…`;
export const opening = t`opening…`;
export const scrolled = t`↓ scrolled`;
export const notSaved = t`not saved`;

export const mouseIsOff = t`mouse off`;

export function statusSentence(facts: readonly string[]): string {
	return t`Status: ${facts.join(', ')}`;
}

export function queuedCount(count: number): string {
	return t`${count} queued ${count === 1 ? t`message` : t`messages`}`;
}

export function queuedShort(count: number): string {
	return t`${count} queued`;
}

/** `model` is the model for the next run. */
export function nextIs(model: string): string {
	return t`next: ${model}`;
}

export function nextShort(model: string): string {
	return `→ ${model}`;
}

export function backgroundCount(count: number): string {
	return t`${count} in background`;
}

export function backgroundShort(count: number): string {
	return t`${count} bg`;
}

export const approvalTexts = {
	ask: {text: t`ask`, short: t`ask`},
	'accept-edits': {text: t`accept-edits`, short: t`accept-edits`},
	plan: {text: t`plan: read-only`, short: t`plan`},
	auto: {text: t`auto-approve, confined`, short: t`auto`},
} as const;

/** The texts for `auto` mode if commands are not confined, and if they are confined but change the project directly. */
export const autoUnconfined = t`auto-approve: not confined`;
export const autoWithoutCells = t`auto-approve, confined, no cells`;

/**
These texts say that commands are confined. `no cells` means that commands change the project directly, and not a
separate layer.
*/
export const confinedText = t`confined`;
export const withoutCells = t`confined, no cells`;

/** `why` is a sentence. */
export function unconfinedText(why: string): {readonly text: string; readonly short: string} {
	const short = t`not confined`;
	return {text: `${short}: ${why.replace(/[.\u3002]$/, '')}`, short};
}

/** Returns the marks for a read-only working directory and for the number of other readable directories. */
export function scopeMark(readRoots: number, isWritable: boolean): string {
	const dirs = readRoots === 1 ? t`dir` : t`dirs`;
	if (isWritable) return readRoots === 0 ? '' : t` (+${readRoots} read-only ${dirs})`;
	return readRoots === 0 ? t` (read-only)` : t` (read-only, +${readRoots} ${dirs})`;
}

export const readOnlyShort = t` (ro)`;

/** The mark of a read-only session, for a screen reader. */
export const readOnlyText = t`read-only`;

/** The names of the views of the transcript other than the default view, for a screen reader. */
export const viewWords = {detail: t`detail view`, overview: t`overview`} as const;

/** The activities of a child session that is not running a tool. */
export const childTexts = {
	waiting: t`waits for another child to end`,
	paused: t`interrupted`,
	notRunning: t`interrupted`,
	ended: t`ended`,
	asks: t`needs you`,
} as const;

/** Returns the words for a number of child sessions, and how many of them wait for the user. */
export function childCount(count: number, needs: number): string {
	const children = `${count} ${count === 1 ? t`child` : t`children`}`;
	if (needs === 0) return children;
	if (count === 1) return t`${children} · needs you`;
	return t`${children} · ${needs} ${needs === 1 ? t`needs` : t`need`} you`;
}

/** The mark of a child session. `title` is already sanitized. */
export function childOf(title: string): string {
	return t`child: ${title}`;
}
