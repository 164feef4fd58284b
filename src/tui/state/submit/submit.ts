import {confirmDraft} from '../../preflight/confirm-draft.ts';
import {mayHoldRef} from '../../preflight/secrets.ts';
import type {Method, Receipt, Segment} from '../../../pod/protocol.ts';
import {commands, type Command} from '../../commands/commands.ts';
import {nearestCommand} from '../../commands/nearest-command.ts';
import {meaningOf, type Meaning} from '../../commands/meaning.ts';
import {isBlank} from '../../composer/editor/draft.ts';
import type {Editor} from '../../composer/editor/editor.ts';
import {toSegments} from '../../composer/editor/segments.ts';
import {holdKeys} from '../../hold/hold-keys.ts';
import type {Way} from '../../queue/queue.ts';
import {dismissAlerts, send, showAlert, update, type App} from '../app.ts';
import type {Refused} from '../actions.ts';
import {statusOf} from '../selectors.ts';
import type {SubmitAction} from './submit-reducers.ts';
import type {Effects} from '../tables.ts';
import {didYouMean, literalHint, noShellCommand, shellNotDelivered} from '../texts.ts';

/**
A draft becomes a message in stages. Each stage is an action. A reducer in submit-reducers.ts moves the message, and the
effect here starts the next stage.

1. `submit`: the draft leaves the editor, and the composer keeps it. A blank draft resumes, or sends the next queued
message. 2. `confirm draft`: the message is checked. Until then `take back` makes it a draft again. 3. `draft
confirmed`: it goes out now (`send draft`), after the run (`queue draft`), or into the run (`steer draft`). 4. `send
queued`, `steer queued`: the next queued message goes out when the run ends or you ask for it. 5. `receipt`: an accepted
message is in the history. A refused one is a draft again, and an alert says why. 6. `steer refused`: messages that the
run did not take come back with `return undelivered`.
*/
export const submitEffects: Pick<Effects, SubmitAction> = {
	submit(app, {way}, before) {
		const {held} = app.state.composer;
		if (isBlank(before.composer.editor.draft)) submitBlank(app, way);
		else if (held !== undefined && held !== before.composer.held) submitHeld(app, held, way);
	},
	'confirm draft': (app, {segments, way}) => void confirm(app, segments, way),
	'draft confirmed': (app, {segments, way}) => app.dispatch({type: exitOf(app, segments, way), segments}),
	'send draft': (app, {segments}) => void sendMessage(app, segments, app.state.composer.held),
	'steer draft': (app, {segments}) => void steer(app, segments),
	'send prompt': (app, {segments}) => void sendAs(app, {method: 'run', segments: [...segments]}, segments),
	'send queued'(app, _action, {queue: [first]}) {
		if (first !== undefined) void sendMessage(app, first);
	},
	'steer queued'(app, _action, {queue: [first]}) {
		if (first !== undefined) void steer(app, first);
	},
	receipt(app, {segments, receipt}) {
		app.changed('now');
		if (!receipt.accepted && receipt.code !== 'aborted') void showRefusal(app, segments, receipt);
	},
	'steer refused'(app, {receipt}) {
		showAlert(app, {level: receipt.code === 'aborted' ? 'info' : 'error', text: receipt.sentence});
		// The end of a run refuses all steered messages one after another. They come back together.
		if (app.state.undelivered.length === 1) setImmediate(() => app.dispatch({type: 'return undelivered'}));
	},
	'return undelivered': app => app.changed('now'),
};

/** Sends the next queued message. It was confirmed when it was queued. */
export function sendQueued(app: App): void {
	if (!app.state.quitting) app.dispatch({type: 'send queued'});
}

/**
Turns a message that is being confirmed into a draft again. None of it was sent. Returns false when no message is being
confirmed.
*/
export function takeBack(app: App): boolean {
	if (app.state.confirming === undefined) return false;
	app.dispatch({type: 'take back'});
	return true;
}

/**
Enter on a blank draft resumes a paused turn or sends the next queued message. The steer key steers that message.
*/
function submitBlank(app: App, way: Way): void {
	const {queue, sending} = app.state;
	const {kind} = statusOf(app.state);
	const isFree = sending.length === 0;
	if (way === 'steer' && kind === 'running') steerQueued(app);
	else if (way === 'steer' && queue.length > 0 && isFree) sendQueued(app);
	else if (kind === 'paused') void resume(app);
	else if (kind === 'idle' && isFree) sendQueued(app);
}

/** A queued shell command waits for the end of the run. */
function steerQueued(app: App): void {
	const [first = []] = app.state.queue;
	if (meaningOf(first).type !== 'shell') app.dispatch({type: 'steer queued'});
	else showAlert(app, {level: 'info', text: shellNotDelivered});
}

async function resume(app: App): Promise<void> {
	const receipt = await send(app, {method: 'resume'});
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
}

/** Handles a draft: a command of the screen, a shell command or a message for the model. */
function submitHeld(app: App, held: Editor, key: Way): void {
	const segments = toSegments(held.draft);
	const meaning = meaningOf(segments);
	const way = statusOf(app.state).kind === 'running' ? key : 'send';
	if (meaning.type === 'command') {
		void perform(app, meaning, segments, held);
		return;
	}
	if (meaning.type === 'shell' && meaning.command === '') {
		app.dispatch({type: 'receipt', segments, held, receipt: noCommand});
		return;
	}
	dismissAlerts(app);
	const needsConfirmation = meaning.type === 'message' && mayHoldRef(segments);
	app.dispatch({type: needsConfirmation ? 'confirm draft' : 'draft confirmed', segments, way});
}

const noCommand: Refused = {accepted: false, code: 'empty', sentence: noShellCommand};

/** Runs a command of the screen. It is never sent to the model, but you can recall it. */
async function perform(app: App, command: CommandMeaning, segments: readonly Segment[], held: Editor): Promise<void> {
	const {opens}: Command = commands[command.name];
	const run = async () => {
		const {runCommand} = await import('../../commands/run-command.ts');
		const sentence = await runCommand(app, command.name, command.argument);
		const isDone = sentence === undefined;
		if (isDone) update(app, {type: 'sent', segments});
		const receipt: Receipt = isDone ? {accepted: true} : {accepted: false, code: 'empty', sentence};
		app.dispatch({type: 'receipt', segments, held, receipt});
		return isDone;
	};
	dismissAlerts(app);
	if (opens === true) await holdKeys(app, run);
	else await run();
}

type CommandMeaning = Extract<Meaning, {readonly type: 'command'}>;

/** Sends nothing if the draft was taken back in the meantime. */
async function confirm(app: App, segments: readonly Segment[], way: Way): Promise<void> {
	const {confirming} = app.state;
	const confirmed = await confirmDraft(app, segments);
	if (confirming === undefined || app.state.confirming !== confirming) return;
	if (confirmed === undefined) app.dispatch({type: 'take back'});
	else app.dispatch({type: 'draft confirmed', segments: confirmed, way});
	app.changed('now');
}

function exitOf(app: App, segments: readonly Segment[], way: Way): 'send draft' | 'queue draft' | 'steer draft' {
	if (statusOf(app.state).kind !== 'running') return 'send draft';
	return way === 'steer' && meaningOf(segments).type === 'message' ? 'steer draft' : 'queue draft';
}

/** Sends a message as a run, or a shell command. `held` is the composer's draft until the receipt. */
async function sendMessage(app: App, segments: readonly Segment[], held?: Editor): Promise<void> {
	const meaning = meaningOf(segments);
	const run: Method = {method: 'run', segments: [...segments]};
	await sendAs(app, meaning.type === 'shell' ? {method: 'shell', command: meaning.command} : run, segments, held);
}

async function sendAs(app: App, method: Method, segments: readonly Segment[], held?: Editor): Promise<void> {
	const receipt = await send(app, method);
	app.dispatch({type: 'receipt', segments, held, receipt});
}

/** The receipt comes when the run takes the message. Until then the status names it. */
async function steer(app: App, segments: readonly Segment[]): Promise<void> {
	const receipt = await send(app, {method: 'steer', segments: [...segments]});
	if (receipt.accepted) app.dispatch({type: 'receipt', segments, receipt});
	else app.dispatch({type: 'steer refused', segments, receipt});
}

async function showRefusal(app: App, segments: readonly Segment[], {sentence, code}: Refused): Promise<void> {
	showAlert(app, {level: 'error', text: sentence + (await hintFor(segments, code))});
}

/**
Returns a hint after a workflow was refused: the command you probably meant, or a way to send the text. A leading space
would not help, since a workflow is found anywhere in a message.
*/
async function hintFor(segments: readonly Segment[], code: string): Promise<string> {
	const [first] = segments;
	if (code !== 'workflow' || first?.type !== 'text') return '';
	const near = nearestCommand(first.text);
	return near === undefined ? literalHint : didYouMean(near);
}
