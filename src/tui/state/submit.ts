import {sendHeld, sendQueued, settle, steerQueued} from './send.ts';
import {dismissAlerts, say, statusOf, tell, update, type App} from './app.ts';
import {commands, type Command} from '../commands/commands.ts';
import {meaningOf, type Meaning} from '../commands/meaning.ts';
import {submit} from '../composer/composer-state.ts';
import {holdKeys} from '../hold/hold-keys.ts';
import type {Segment} from '../../pod/protocol.ts';
import type {Way} from '../queue/queue.ts';

/** Enter: does what the draft asks for. An empty one goes on with a paused turn, or sends what was left waiting. */
export function submitDraft(app: App): void {
	submitAs(app, 'send', () => goOn(app));
}

/** Delivers the draft to the run under way, or with an empty draft the next of what waits. When nothing runs it is Enter. */
export function steerDraft(app: App): void {
	const running = statusOf(app.state).kind === 'running';
	submitAs(app, running ? 'steer' : 'send', () => {
		if (running) steerQueued(app);
		else if (app.state.queue.length > 0 && app.state.sending.length === 0) sendQueued(app);
		else goOn(app);
	});
}

function submitAs(app: App, way: Way, blank: () => void): void {
	const {state, segments} = submit(app.state.composer);
	if (segments?.length === 0) {
		blank();
		return;
	}
	app.dispatch({type: 'set composer', composer: state});
	if (segments === undefined) return;
	const meaning = meaningOf(segments);
	if (meaning.type === 'command') void perform(app, meaning, segments);
	else if (meaning.type === 'shell' && meaning.command === '') void settle(app, segments, app.state.composer.held, {accepted: false, code: 'empty', sentence: 'There is no command behind the exclamation mark.'});
	else sendHeld(app, segments, way);
}

function goOn(app: App): void {
	const {kind} = statusOf(app.state);
	if (kind === 'paused') void resume(app);
	else if (kind === 'idle' && app.state.sending.length === 0) sendQueued(app);
}

async function resume(app: App): Promise<void> {
	const receipt = await say(app, {method: 'resume'});
	if (!receipt.accepted) tell(app, {level: 'error', text: receipt.sentence});
}

/** A command is the screen's own: it is never sent, and can be recalled. */
async function perform(app: App, {name, argument}: Extract<Meaning, {type: 'command'}>, segments: readonly Segment[]): Promise<void> {
	const {held} = app.state.composer;
	const {opens}: Command = commands[name];
	const run = async () => {
		const {runCommand} = await import('../commands/run-command.ts');
		const sentence = await runCommand(app, name, argument);
		if (sentence === undefined) update(app, {type: 'sent', segments});
		await settle(app, segments, held, sentence === undefined ? {accepted: true} : {accepted: false, code: 'empty', sentence});
		return sentence === undefined;
	};
	dismissAlerts(app);
	if (opens === true) await holdKeys(app, run);
	else await run();
}
