import {type Status, type ToolCall, toolFactsOf, type ChildStatus} from '../../../pod/protocol.ts';
import {isEmpty} from '../../editor/draft.ts';
import type {AppState} from '../../model/app-state.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import {formatCount} from '../../../text/formats.ts';
import {cut} from '../../../text/width.ts';
import {spansText} from '../../../text/span.ts';
import {runningBlocks, runningCalls} from '../../../transcript/lists/running-calls.ts';
import type {Transcript} from '../../../transcript/state.ts';
import {argumentSpans, toolName} from '../../../transcript/tool-title.ts';
import {
	callTime,
	detaching,
	detachingWhen,
	moveHint,
	receivedTokens,
	stepTexts,
	theAnswer,
	theTools,
	thinking,
	waitingFor,
	waitingLong,
	acts,
	manyActs,
	type Act,
	childTexts,
	elapsedTime,
} from './texts.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {t} from '../../../language/index.ts';
import type {ChildItems} from '../../../transcript/block.ts';

/**
Returns what the current run is doing. Returns `undefined` while no run is in progress or a question waits for you.
*/
export function activityOf(state: AppState): Activity | undefined {
	const status = statusOf(state);
	const transcript = state.transcript.store?.transcript;
	if (transcript === undefined || status.kind !== 'running' || status.asks.length > 0) return undefined;
	const received = receivedOf(transcript);
	return {...wordsOf(status, transcript, state), ...(received !== undefined && {received})};
}

/** The time of a running call as a text. `hint` is shown if it fits. */
export type RunningTime = {readonly time: string; readonly hint: string};

/** Returns the time of each call that has been running for at least a second, by the id of the call's block. */
export function runningTimes(state: AppState): ReadonlyMap<string, RunningTime> {
	const {calls = []} = statusOf(state);
	const transcript = state.transcript.store?.transcript;
	const times = new Map<string, RunningTime>();
	if (transcript === undefined) return times;
	for (const {callId, since} of calls) {
		const seconds = Math.floor((state.now - since) / 1000);
		for (const {id, call} of seconds < 1 ? [] : runningBlocks(callId, transcript)) {
			const isLong = seconds >= longFrom && actOf(call.name) === 'command';
			const hint = isLong ? ` · ${moveHint(isEmpty(state.composer.editor.draft))}` : '';
			times.set(id, {time: callTime(seconds), hint});
		}
	}
	return times;
}

/** Returns the hint about moving a command to the background, if a command has been running for a while. */
export function backgroundHint(state: AppState): string | undefined {
	const from = longCommandAt(state);
	return from !== undefined && state.now >= from ? moveHint(isEmpty(state.composer.editor.draft)) : undefined;
}

/** Returns the time from which a running command counts as long. Returns `undefined` if no command is running. */
export function longCommandAt(state: AppState): number | undefined {
	const {calls = []} = statusOf(state);
	const transcript = state.transcript.store?.transcript;
	const commands = calls.filter(({callId}) =>
		transcript === undefined
			? false
			: runningBlocks(callId, transcript).some(({call}) => actOf(call.name) === 'command'),
	);
	return commands.length === 0 ? undefined : Math.min(...commands.map(({since}) => since)) + longFrom * 1000;
}

/** What a run is doing. `text` is a verb with its object, and `short` fits narrow screens. */
export type Activity = {
	readonly text: string;
	readonly short: string;
	/** A text with the number of tokens that the model has sent in this turn. Absent for the first hundred tokens. */
	readonly received?: string;
};

/** Returns the name of a model without its provider, such as `claude-sonnet-5`. */
export function shortModel(name: string): string {
	return sanitizeLine(name.slice(name.lastIndexOf('/') + 1));
}

/**
Returns what the running calls do: a verb with its object for a single call, and a verb with a count for several calls.
*/
function callWords(calls: readonly CallObject[]): {readonly text: string; readonly short: string} {
	const [first] = calls;
	if (first === undefined) return stepTexts.tools;
	const act = actOf(first.tool);
	if (calls.length > 1) {
		const isSame = calls.every(({tool}) => actOf(tool) === act);
		return manyActs(isSame ? act : 'tool', calls.length);
	}
	const name = act === 'tool' ? `${toolName(first.tool)} ` : '';
	const {verb} = acts[act];
	return {text: cut(`${verb} ${name}${first.object}`.trimEnd(), maxObject, '…'), short: verb};
}

/** Returns the child sessions that have not ended. */
export function childrenOf(state: AppState): readonly ChildStatus[] {
	return statusOf(state).children ?? [];
}

/**
Returns the texts after the title of a child session that has no end yet: its activity, its time, its tokens, and
whether it waits for the user.
*/
export function liveFacts({started}: ChildItems, state: AppState): readonly string[] {
	const child = childrenOf(state).find(({id}) => id === started?.child);
	if (child !== undefined) return childWords(child, state.now);
	// A child that has ended may still need an answer: its parent may ask what to do with its changes.
	const {kind, asks} = statusOf(state);
	return [kind === 'running' || asks.length > 0 ? childTexts.ended : childTexts.notRunning];
}

/** Returns the activity of a child session, its time, its tokens, and whether it waits for the user. */
export function childWords(child: ChildStatus, now: number): readonly string[] {
	const {tokens, asks, since} = child;
	return [
		asks > 0 ? childTexts.asks : actionOf(child),
		elapsedTime(Math.max(0, Math.floor((now - since) / 1000))),
		...(tokens > 0 ? [t`${formatCount(tokens)} tokens`] : []),
	];
}

function wordsOf(status: Status, transcript: Transcript, state: AppState): Activity {
	const {step} = status;
	if (state.lifecycle.isDetaching) return {text: detachingWhen(waitedFor(status, transcript)), short: detaching};
	if (step === 'requesting') {
		const {short} = stepTexts.requesting;
		return {text: waitingWords(status, state), short};
	}
	if (step === 'tools') return callWords(runningCalls(status, transcript).map(objectOf));
	if (step === 'streaming' && transcript.tail.at(-1)?.type === 'reasoning') return thinking;
	return step === undefined ? stepTexts.tools : stepTexts[step];
}

/**
Returns a text that says for which model the run waits, and after a while also for how long. The first request of a turn
has no such time, because the status line also shows the time of the turn.
*/
function waitingWords({since, requestedAt}: Status, state: AppState): string {
	const model = shortModel(sessionOf(state).model);
	if (since === undefined || requestedAt === undefined || state.setup.isSpoken === true) return waitingFor(model);
	const seconds = Math.floor((state.now - requestedAt) / 1000);
	const isLater = requestedAt - since >= 1000;
	return isLater && seconds >= longFrom ? waitingLong(model, elapsedTime(seconds)) : waitingFor(model);
}

/** Returns a text that says what a detach waits for: the running command, or the answer. */
function waitedFor(status: Status, transcript: Transcript): string {
	if (status.step !== 'tools') return theAnswer;
	const [first, ...others] = runningCalls(status, transcript).map(objectOf);
	if (first === undefined || others.length > 0 || first.object === '') return theTools;
	return cut(first.object, maxWaitedFor, '…');
}

/** Returns the tool of a call and the beginning of its main argument. */
function objectOf(call: ToolCall): CallObject {
	const [object = ''] = spansText(argumentSpans(call, {}, {columns: maxObject}).slice(0, 1))
		.trim()
		.split('␊', 1);
	return {tool: call.name, object};
}

/**
Returns a text with the number of tokens that the model has sent in this turn. The tokens of an unfinished answer are
estimated.
*/
function receivedOf({folded, tail}: Transcript): string | undefined {
	const known = folded.run.totals.output ?? 0;
	const characters = tail.reduce((sum, item) => sum + charactersOf(item), 0);
	const tokens = known + characters / 4;
	if (tokens < 100) return undefined;
	const isExact = characters === 0;
	// An estimate is rounded down to hundreds, so that not every piece of a streamed answer redraws the status line.
	return receivedTokens(formatCount(isExact ? known : Math.floor(tokens / 100) * 100), isExact);
}

/** A running command or a wait counts as long after this number of seconds. */
const longFrom = 10;

/** The maximum width of the text that says what a detach waits for, in cells. */
const maxWaitedFor = 30;

function charactersOf(item: Transcript['tail'][number]): number {
	if (item.type === 'tool_call') return item.arguments.length;
	return item.type === 'message' || item.type === 'reasoning' ? item.text.length : 0;
}

/** A running call: its tool and its main argument. Both are sanitized. */
type CallObject = {readonly tool: string; readonly object: string};

/** The maximum width of the object of an activity, in cells. */
const maxObject = 48;

/** Returns the kind of work that a tool does. */
function actOf(name: string): Act {
	const facts = toolFactsOf(name);
	if (facts === undefined) return 'tool';
	if (facts.startsChild === true) return 'child';
	if (facts.subject.kind === 'command') return 'command';
	if (facts.subject.kind === 'file') return facts.effect === 'write' ? 'edit' : 'read';
	return facts.effect === 'read' && facts.subject.argument === 'pattern' ? 'search' : 'tool';
}

function actionOf({state, step = 'resolving', calls}: ChildStatus): string {
	if (state !== 'running') return childTexts[state];
	if (step !== 'tools') return stepTexts[step].text;
	return callWords(calls.map(({tool, subject}) => ({tool, object: sanitizeLine(subject)}))).text;
}
