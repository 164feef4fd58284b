import type {Method, Receipt, Segment} from '../../pod/protocol.ts';
import {dismissAlerts, say, statusOf, tell, update, type App} from './app.ts';
import {meaningOf} from '../commands/meaning.ts';
import type {Editor} from '../composer/editor.ts';
import type {Way} from '../queue/queue.ts';

/**
Sends what the composer holds, a message once it is confirmed. This is where every draft leaves the composer for the pod: at once,
as a steered message, or into the queue when something runs.
*/
export function sendHeld(app: App, segments: readonly Segment[], way: Way): void {
	dismissAlerts(app);
	const {confirm} = app.options;
	if (confirm === undefined || meaningOf(segments).type === 'shell') {
		dispatch(app, segments, way);
		return;
	}
	const {held} = app.state.composer;
	app.dispatch({type: 'confirm', held});
	void confirm(app, segments).then(confirmed => {
		if (app.state.confirming !== held) return;
		app.dispatch({type: 'confirm', held: undefined});
		if (confirmed === undefined) update(app, {type: 'refused'});
		else dispatch(app, confirmed, way);
		app.changed('now');
	});
}

/** Gives back what is still being confirmed: nothing of it has gone out. */
export function takeBack(app: App): boolean {
	if (app.state.confirming === undefined) return false;
	app.dispatch({type: 'confirm', held: undefined});
	update(app, {type: 'refused'});
	return true;
}

/** Sends a prompt that came with the command. */
export async function sendPrompt(app: App, text: string): Promise<void> {
	const segments: readonly Segment[] = [{type: 'text', text}];
	await sendAs(app, {method: 'run', segments: [...segments]}, segments, undefined);
}

/** Sends the next of what waits. It was confirmed when it was put there. */
export function sendQueued(app: App): void {
	const [first, ...rest] = app.state.queue;
	if (first === undefined || app.state.quitting) return;
	app.dispatch({type: 'set queue', queue: rest});
	void sendNow(app, first, undefined);
}

/** Delivers the next of what waits to the run under way. A command of the person's waits for the run's end. */
export function steerQueued(app: App): void {
	const [first, ...rest] = app.state.queue;
	if (first === undefined) return;
	if (meaningOf(first).type === 'shell') {
		tell(app, {level: 'info', text: 'A command of the shell cannot be delivered to a run: it goes out after it.'});
		return;
	}
	app.dispatch({type: 'set queue', queue: rest});
	void steer(app, first);
}

/** What became of a submission: a refusal gives it back to the composer with its sentence. `held`: the draft that it was, if the composer held it. */
export async function settle(app: App, segments: readonly Segment[], held: Editor | undefined, receipt: Receipt): Promise<void> {
	if (held !== undefined && app.state.composer.held === held) update(app, {type: receipt.accepted ? 'accepted' : 'refused'});
	else if (!receipt.accepted) update(app, {type: 'returned', segments});
	if (!receipt.accepted && receipt.code !== 'aborted') tell(app, {level: 'error', text: receipt.sentence + await hintFor(segments, receipt.code)});
	app.changed('now');
}

function dispatch(app: App, segments: readonly Segment[], way: Way): void {
	if (statusOf(app.state).kind !== 'running') {
		void sendNow(app, segments, app.state.composer.held);
		return;
	}
	const steers = way === 'steer' && meaningOf(segments).type === 'message';
	if (steers) void steer(app, segments);
	else app.dispatch({type: 'set queue', queue: [...app.state.queue, segments]});
	update(app, {type: 'accepted'});
}

async function sendNow(app: App, segments: readonly Segment[], held: Editor | undefined): Promise<void> {
	const meaning = meaningOf(segments);
	await sendAs(app, meaning.type === 'shell' ? {method: 'shell', command: meaning.command} : {method: 'run', segments: [...segments]}, segments, held);
}

/** Says a submission and does what its receipt says. */
async function sendAs(app: App, method: Method, segments: readonly Segment[], held: Editor | undefined): Promise<void> {
	const arrived = held === undefined ? depart(app, segments, 'send') : () => {};
	await settle(app, segments, held, await say(app, method));
	arrived();
}

/** Counts segments as on their way, so that they are somewhere until their receipt. The result ends that. */
function depart(app: App, segments: readonly Segment[], way: Way): () => void {
	app.dispatch({type: 'set sending', sending: [...app.state.sending, {segments, way}]});
	return () => app.dispatch({type: 'set sending', sending: app.state.sending.filter(other => other.segments !== segments)});
}

/** Its receipt comes when it is delivered; until then the status names it. */
async function steer(app: App, segments: readonly Segment[]): Promise<void> {
	const arrived = depart(app, segments, 'steer');
	const receipt = await say(app, {method: 'steer', segments: [...segments]});
	if (receipt.accepted) {
		arrived();
		return;
	}
	tell(app, {level: receipt.code === 'aborted' ? 'info' : 'error', text: receipt.sentence});
	app.dispatch({type: 'set undelivered', undelivered: [...app.state.undelivered, segments]});
	if (app.state.undelivered.length === 1) setImmediate(() => returnUndelivered(app));
}

/** What a run's end left undelivered comes back together: each is put before what is there, so the last one goes first. */
function returnUndelivered(app: App): void {
	const {undelivered} = app.state;
	for (const segments of undelivered.toReversed()) update(app, {type: 'returned', segments});
	app.dispatch({type: 'set undelivered', undelivered: []});
	app.dispatch({type: 'set sending', sending: app.state.sending.filter(({segments}) => !undelivered.includes(segments))});
	app.changed('now');
}

/** Behind the refusal of a workflow: the command that was perhaps meant, else how it goes out as it is. A space before it would not help: one that is there is found anywhere. */
async function hintFor(segments: readonly Segment[], code: string): Promise<string> {
	const [first] = segments;
	if (code !== 'workflow' || first?.type !== 'text') return '';
	const {nearestCommand} = await import('../commands/nearest-command.ts');
	const near = nearestCommand(first.text);
	return near === undefined ? ' A backslash before it sends it as text.' : ` There is a command /${near}.`;
}
