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

/** Returns what the current run is doing, or `undefined` while nothing runs or a question waits for you. */
export function activityOf(state: AppState): Activity | undefined {
	const status = statusOf(state);
	const transcript = state.transcript.store?.transcript;
	if (transcript === undefined || status.kind !== 'running' || status.asks.length > 0) return undefined;
	const received = receivedOf(transcript);
	return {...wordsOf(status, transcript, state), ...(received !== undefined && {received})};
}

/** The time of a running call. `hint` is shown where it fits. */
export type RunningTime = {readonly time: string; readonly hint: string};

/** Returns the time of each call that has run for a second, by the id of its block. */
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

/** Returns the way to move a running command to the background, once it has run for a while. */
export function backgroundHint(state: AppState): string | undefined {
	const from = longCommandAt(state);
	return from !== undefined && state.now >= from ? moveHint(isEmpty(state.composer.editor.draft)) : undefined;
}

/** Returns the time from which on a running command counts as long. */
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
	/** The tokens that the model has sent in this turn, in words. Absent for the first hundred. */
	readonly received?: string;
};

/** Returns the name of a model without its provider, such as `claude-sonnet-5`. */
export function shortModel(name: string): string {
	return sanitizeLine(name.slice(name.lastIndexOf('/') + 1));
}

/** Returns what running calls do: a verb with its object for one, and a count for several. */
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

/** Returns what follows the title of a child without an end: what it does, its time, its tokens and its questions. */
export function liveFacts({started}: ChildItems, state: AppState): readonly string[] {
	const child = childrenOf(state).find(({id}) => id === started?.child);
	if (child !== undefined) return childWords(child, state.now);
	// The parent may still ask what to do with the changes of a child that has ended.
	const {kind, asks} = statusOf(state);
	return [kind === 'running' || asks.length > 0 ? childTexts.ended : childTexts.notRunning];
}

/** Returns what a child does, its time, its tokens, and whether it waits for the user. */
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
Names the model whose answer has not begun, and how long. The time of the whole turn is shown beside it, so the first
request of a turn needs no time of its own.
*/
function waitingWords({since, requestedAt}: Status, state: AppState): string {
	const model = shortModel(sessionOf(state).model);
	if (since === undefined || requestedAt === undefined || state.setup.isSpoken === true) return waitingFor(model);
	const seconds = Math.floor((state.now - requestedAt) / 1000);
	const isLater = requestedAt - since >= 1000;
	return isLater && seconds >= longFrom ? waitingLong(model, elapsedTime(seconds)) : waitingFor(model);
}

/** Names what a detach waits for: the running command, or the answer. */
function waitedFor(status: Status, transcript: Transcript): string {
	if (status.step !== 'tools') return theAnswer;
	const [first, ...others] = runningCalls(status, transcript).map(objectOf);
	if (first === undefined || others.length > 0 || first.object === '') return theTools;
	return cut(first.object, maxWaitedFor, '…');
}

/** Returns the tool of a call and what it is about. */
function objectOf(call: ToolCall): CallObject {
	const [object = ''] = spansText(argumentSpans(call, {}, {columns: maxObject}).slice(0, 1))
		.trim()
		.split('␊', 1);
	return {tool: call.name, object};
}

/** Returns the tokens that the model has sent in this turn. Those of the open answer are estimated. */
function receivedOf({folded, tail}: Transcript): string | undefined {
	const known = folded.run.totals.output ?? 0;
	const characters = tail.reduce((sum, item) => sum + charactersOf(item), 0);
	const tokens = known + characters / 4;
	if (tokens < 100) return undefined;
	const isExact = characters === 0;
	// In steps of hundred, so that a streamed answer does not draw the line with every piece.
	return receivedTokens(formatCount(isExact ? known : Math.floor(tokens / 100) * 100), isExact);
}

/** The number of seconds after which a running command or a wait counts as long. */
const longFrom = 10;

/** The maximum width of what a detach waits for, in cells. */
const maxWaitedFor = 30;

function charactersOf(item: Transcript['tail'][number]): number {
	if (item.type === 'tool_call') return item.arguments.length;
	return item.type === 'message' || item.type === 'reasoning' ? item.text.length : 0;
}

/** A running call: its tool, and what it is about. Both are inert. */
type CallObject = {readonly tool: string; readonly object: string};

/** The maximum width of an activity in cells. */
const maxObject = 48;

/** Returns what a tool does. */
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
