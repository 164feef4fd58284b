import {confirmDraft} from '../preflight/preflight-effects.ts';
import {mayHoldRef} from '../../model/preflight/marks.ts';
import {
	isSlipOf,
	type Event,
	type Method,
	type QueuedMessage,
	type QueueMessage,
	type Receipt,
	type Segment,
} from '../../../pod/protocol.ts';
import {commands, type Command, commandNames, type CommandName} from '../../model/commands/commands.ts';
import {classifyDraft, type DraftKind} from '../../model/commands/commands.ts';
import {isBlank} from '../../editor/draft.ts';
import type {Editor} from '../../editor/editor.ts';
import {toSegments} from '../../editor/segments.ts';
import {holdKeys} from '../hold-keys.ts';
import {nextIn, type Way} from '../../model/queue.ts';
import {dismissAlerts, send, showAlert, update, type App} from '../app.ts';
import type {ActionOf, Refused} from '../../model/app-state.ts';
import {awaitsCardUntil, hasDigitsOnCard} from '../../model/card/card-step.ts';
import {queueOf, statusOf} from '../../model/selectors.ts';
import {realTimers} from '../timers.ts';
import {didYouMean, literalHint, noShellCommand, shellNotDelivered} from '../texts.ts';
import {saveDraftNow} from '../drafts/draft-autosave.ts';
import {noteUse} from '../completion/completion-effects.ts';

/**
A draft becomes a message in stages. Each stage is a function here that calls the next one, and its action moves the
message in the state (submission-state.ts).

1. `submit`: the draft leaves the editor and becomes the held draft. A blank draft resumes a paused turn, or sends the
   next queued message.
2. `confirm`: the message is checked. Until the check ends, `takeBack` turns the message into a draft again.
3. `sendDraft` sends the message now, or `queueDraft` puts it into the pod's queue. A queued message is sent after the
   run, or added to the run with its next request.
4. `settle`: an accepted message is in the history or in the queue. A refused message is a draft again, and an alert
   gives the reason.
5. `takeBackQueued` takes messages out of the queue. Each of them is a draft again.

`way` is `send` for Enter, and `steer` for the steer key.
*/
export function submit(app: App, way: Way): void {
	if (isForCard(app, way)) return;
	const {editor, held: earlier} = app.state.composer;
	app.dispatch({type: 'submit'});
	const {held} = app.state.composer;
	if (isBlank(editor.draft)) submitBlank(app, way);
	else if (held !== undefined && held !== earlier) submitHeld(app, held, way);
}

/**
Tells whether the draft consists of digits that were meant for a card. During a run, a card may appear a moment after
the digits. If no card appears, the digits are sent.
*/
function isForCard(app: App, way: Way): boolean {
	const {state} = app;
	if (hasDigitsOnCard(state)) {
		app.dispatch({type: 'note on card', note: 'digit'});
		return true;
	}
	const now = app.options.now();
	const until = statusOf(state).kind === 'running' ? awaitsCardUntil(state, now) : undefined;
	if (until === undefined) return false;
	const {draft} = state.composer.editor;
	(app.options.timers ?? realTimers).after(until - now, () => {
		const isSame = app.state.composer.editor.draft === draft && app.state.asks.card === undefined;
		if (isSame && !app.state.lifecycle.quitting) submit(app, way);
	});
	return true;
}

/**
Turns a message that waits for its confirmation into a draft again. No part of such a message was sent. Returns false if
there is no such message.
*/
export function takeBack(app: App): boolean {
	if (app.state.submission.confirming === undefined) return false;
	app.dispatch({type: 'take back'});
	return true;
}

/**
Handles Enter on a blank draft. Enter resumes a paused turn or sends the next queued message. The steer key adds that
message to the current run.
*/
function submitBlank(app: App, way: Way): void {
	const {sending} = app.state.submission;
	const next = nextIn(queueOf(app.state));
	const {kind} = statusOf(app.state);
	const isFree = sending.length === 0 && next !== undefined;
	if (way === 'steer' && kind === 'running') steerQueued(app, next);
	else if (way === 'steer' && isFree) void send(app, {method: 'send_queued'});
	else if (kind === 'paused') void resume(app);
	else if (kind === 'idle' && isFree) void send(app, {method: 'send_queued'});
}

/**
Adds the next queued message to the current run. This does not work for a queued shell command, which must wait for the
end of the run.
*/
function steerQueued(app: App, next: QueuedMessage | undefined): void {
	if (next === undefined) return;
	if (next.isCommand === true) showAlert(app, {level: 'info', text: shellNotDelivered});
	else void send(app, {method: 'steer_queued', message: next.id});
}

async function resume(app: App): Promise<void> {
	const receipt = await send(app, {method: 'resume'});
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
}

/**
Handles the held draft, which has just left the editor: a slash command, a shell command or a message for the model.
*/
function submitHeld(app: App, held: Editor, key: Way): void {
	const segments = toSegments(held.draft);
	const meaning = classifyDraft(segments);
	const way = statusOf(app.state).kind === 'running' ? key : 'send';
	if (meaning.type === 'command') {
		void perform(app, meaning, segments, held);
		return;
	}
	if (meaning.type === 'shell' && meaning.command === '') {
		settle(app, {segments, held, receipt: noCommand});
		return;
	}
	dismissAlerts(app);
	if (meaning.type === 'message' && mayHoldRef(segments)) void confirm(app, segments, way);
	else depart(app, segments, way);
}

const noCommand: Refused = {accepted: false, code: 'empty', sentence: noShellCommand};

/** Runs a slash command. The command is never sent to the model, but the user can recall it. */
async function perform(app: App, command: CommandMeaning, segments: readonly Segment[], held: Editor): Promise<void> {
	const {opens, hidesArgument}: Command = commands[command.name];
	const recalled: readonly Segment[] = hidesArgument === true ? [{type: 'text', text: `/${command.name}`}] : segments;
	const run = async () => {
		const {runCommand} = await import('../commands/run-command.ts');
		const sentence = await runCommand(app, command.name, command.argument);
		const isDone = sentence === undefined;
		if (isDone) update(app, {type: 'sent', segments: recalled});
		const receipt: Receipt = isDone ? {accepted: true} : {accepted: false, code: 'empty', sentence};
		settle(app, {segments, held, receipt});
		return isDone;
	};
	dismissAlerts(app);
	void noteUse(app, command.name);
	if (opens === true) await holdKeys(app, run, hidesArgument);
	else await run();
}

type CommandMeaning = Extract<DraftKind, {readonly type: 'command'}>;

/** Checks the message before it is sent. Sends nothing if you took the draft back in the meantime. */
async function confirm(app: App, segments: readonly Segment[], way: Way): Promise<void> {
	app.dispatch({type: 'confirm draft'});
	const {confirming} = app.state.submission;
	const confirmed = await confirmDraft(app, segments);
	if (confirming === undefined || app.state.submission.confirming !== confirming) return;
	if (confirmed === undefined) app.dispatch({type: 'take back'});
	else depart(app, confirmed, way);
	app.changed('now');
}

function depart(app: App, segments: readonly Segment[], way: Way): void {
	app.dispatch({type: 'draft confirmed'});
	if (statusOf(app.state).kind !== 'running') void sendDraft(app, segments);
	else void queueDraft(app, segments, way === 'steer' && classifyDraft(segments).type === 'message');
}

/**
Sends a message that starts a run, or a shell command. The composer keeps the held draft until the receipt arrives.
*/
async function sendDraft(app: App, segments: readonly Segment[]): Promise<void> {
	app.dispatch({type: 'send draft'});
	const {heldId: message = ''} = app.state.submission;
	const {held} = app.state.composer;
	const meaning = classifyDraft(segments);
	const run: Method = {method: 'run', segments: [...segments], message};
	const method: Method = meaning.type === 'shell' ? {method: 'shell', command: meaning.command, message} : run;
	await sendAs(app, method, message, segments, held);
}

/** Sends the prompt of the command line. */
export async function sendPrompt(app: App, segments: readonly Segment[]): Promise<void> {
	app.dispatch({type: 'send prompt', segments});
	const message = idOf(app, segments);
	await sendAs(app, {method: 'run', segments: [...segments], message}, message, segments);
}

/**
Queues a message, or adds it to the current run (`steer`). The receipt arrives after the pod has saved the message in
its queue.
*/
export async function queueDraft(app: App, segments: readonly Segment[], steer: boolean): Promise<void> {
	app.dispatch({type: 'queue draft', segments});
	const message = idOf(app, segments);
	const meaning = classifyDraft(segments);
	const command = meaning.type === 'shell' ? {command: meaning.command} : {};
	const method: Method = {method: 'queue', message, segments: [...segments], ...command, ...(steer && {steer})};
	await sendAs(app, method, message, segments);
}

/** Returns the id of a message that was sent and has no receipt yet. */
function idOf(app: App, segments: readonly Segment[]): string {
	return app.state.submission.sending.find(other => other.segments === segments)?.id ?? '';
}

async function sendAs(
	app: App,
	method: Method,
	id: string,
	segments: readonly Segment[],
	held?: Editor,
): Promise<void> {
	const receipt = await send(app, method);
	const isUnknown = !receipt.accepted && receipt.code === 'closed' && !app.state.lifecycle.quitting;
	if (!isUnknown) {
		// The screen has shown the message since Enter, and another frame would delay the request.
		settle(app, {segments, held, receipt}, receipt.accepted ? 'later' : 'now');
		return;
	}
	// The connection was lost. The pod process that took over knows whether the message arrived.
	const kept = keepReturned(app, [{id, segments}]);
	settle(app, {segments, held, receipt: {accepted: true}});
	await kept;
}

function settle(app: App, settled: Omit<ActionOf<'receipt'>, 'type'>, frame: 'now' | 'later' = 'now'): void {
	app.dispatch({type: 'receipt', ...settled});
	app.changed(frame);
	const {segments, receipt} = settled;
	if (!receipt.accepted && receipt.code !== 'aborted') void showRefusal(app, segments, receipt);
}

/** Takes back the messages of this screen whose runs the pod refused. */
export function takeRefused(app: App, event: Event): void {
	if (event.type !== 'status') return;
	const {queuedHere} = app.state.submission;
	const refused = queueOf(app.state).filter(({id, state}) => state === 'refused' && queuedHere.includes(id));
	if (refused.length === 0) return;
	const ids = refused.map(({id}) => id);
	app.dispatch({type: 'take refused', ids});
	void takeBackQueued(app, ids);
	for (const {preview, refusal} of refused)
		if (refusal !== undefined) void showRefusal(app, preview, {accepted: false, ...refusal});
}

async function showRefusal(app: App, segments: readonly Segment[], {sentence, code}: Refused): Promise<void> {
	showAlert(app, {level: 'error', text: sentence + (await hintFor(segments, code))});
}

/**
Returns a hint after the pod refused a message with an unknown workflow. The hint names the command that you probably
meant, or explains how to send the text. A leading space would not help, because a workflow is recognised anywhere in a
message.
*/
async function hintFor(segments: readonly Segment[], code: string): Promise<string> {
	const [first] = segments;
	if (code !== 'workflow' || first?.type !== 'text') return '';
	const near = nearestCommand(first.text);
	return near === undefined ? literalHint : didYouMean(near);
}

/**
Returns the command that you probably meant. Its name begins with the word, or differs from the word by one typing
error.
*/
export function nearestCommand(text: string): CommandName | undefined {
	const word = /^\/(?<word>[a-z-]{2,20})(?=\s|$)/i.exec(text)?.groups?.['word']?.toLowerCase();
	if (word === undefined) return undefined;
	return commandNames.find(name => name.startsWith(word)) ?? commandNames.find(name => isSlipOf(word, name));
}

/**
Moves messages from the pod's queue into the composer. Keys are buffered during this time. The message is in the draft
on disk before the pod removes it, so a crash cannot lose the message.
*/
export async function takeBackQueued(app: App, ids?: readonly string[]): Promise<void> {
	await takeWith(app, {method: 'take_queued', ...(ids && {messages: [...ids]})});
}

/** Cancels the current run and takes back all queued messages. */
export async function cancelAndTake(app: App): Promise<void> {
	await takeWith(app, {method: 'cancel', take: true});
}

async function takeWith(app: App, method: Method): Promise<void> {
	const receipt = await send(app, method);
	if (receipt.accepted && receipt.returned !== undefined)
		await holdKeys(app, async () => keepReturned(app, receipt.returned ?? []).then(() => true));
}

/**
Moves messages that the pod has returned to this screen into the composer. When this resolves, the draft on disk has the
id of the next message. So the text is not duplicated if you send it again immediately.
*/
async function keepReturned(app: App, messages: readonly QueueMessage[]): Promise<void> {
	if (messages.length === 0) return;
	app.dispatch({type: 'messages taken', messages});
	await saveDraftNow(app);
	const receipts = await Promise.all(messages.map(async ({id}) => release(app, id)));
	const isOurs = (index: number) => {
		const receipt = receipts[index];
		return receipt?.accepted === true || (receipt?.code === 'closed' && !app.state.lifecycle.quitting);
	};
	const failed = receipts.find(receipt => !receipt.accepted && receipt.code === 'io');
	if (failed?.accepted === false) showAlert(app, {level: 'error', text: failed.sentence});
	app.dispatch({type: 'messages returned', messages, kept: messages.filter((_, index) => isOurs(index))});
	app.changed('now');
	await saveDraftNow(app);
}

/**
Tells the pod to remove a returned message. If the connection was lost, the method is sent again, because the pod
process that took over knows whether its queue still contains the message.
*/
async function release(app: App, message: string): Promise<Receipt> {
	const method: Method = {method: 'release_queued', message};
	const receipt = await send(app, method);
	const isUnknown = !receipt.accepted && receipt.code === 'closed' && !app.state.lifecycle.quitting;
	return isUnknown ? send(app, method) : receipt;
}
