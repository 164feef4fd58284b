import {send, showAlert, update, type App, type Switched} from '../app.ts';
import {askHere} from '../card/ask-here.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import {giveUpHold} from '../hold-keys.ts';
import {detachTexts, switchRefusals} from '../../model/commands/texts.ts';

/**
Moves the session to the server as soon as no tool runs, and closes this screen. Resolves with a sentence if this is not
possible.
*/
export async function detach(app: App): Promise<string | undefined> {
	const {onSwitch} = app.options;
	if (onSwitch === undefined) return switchRefusals.single;
	if (sessionOf(app.state).child !== undefined) return detachTexts.child;
	await app.client.promise;
	const refused = refusal(app);
	if (refused !== undefined) return refused;
	const wasRunning = statusOf(app.state).kind === 'running';
	const switched = await prepare(app, async () => onSwitch({kind: 'detach', resumes: wasRunning}));
	if (!switched.ok) return switched.sentence;
	update(app, {type: 'accepted'});
	if (!(await comeToRest(app))) return undefined;
	giveUpHold(app);
	switched.leave([], '');
	return undefined;
}

/** Prepares the switch. If something is missing that inkpod can start, asks on a card whether to start it. */
async function prepare(app: App, onSwitch: () => Promise<Switched>): Promise<Switched> {
	const switched = await onSwitch();
	if (switched.ok || switched.remedy === undefined) return switched;
	const {ask, starting, start} = switched.remedy;
	if ((await askHere(app, ask)) !== 'allow') return switched;
	showAlert(app, {level: 'info', text: starting});
	const problem = await start();
	return problem === undefined ? onSwitch() : {ok: false, sentence: problem};
}

/** Cancels a detach that is still waiting. Returns false if no detach is waiting. */
export function stayHere(app: App): boolean {
	if (!app.state.lifecycle.isDetaching) return false;
	void send(app, {method: 'rest', cancel: true});
	return true;
}

/**
Waits until no tool runs. Resolves with false if you cancel the detach, or if a command or a child session runs in the
background.
*/
async function comeToRest(app: App): Promise<boolean> {
	app.dispatch({type: 'detach', isDetaching: true});
	const receipt = await send(app, {method: 'rest'});
	app.dispatch({type: 'detach', isDetaching: false});
	const refused = receipt.accepted ? refusal(app) : receipt.sentence;
	if (refused === undefined) return true;
	if (receipt.accepted) await send(app, {method: 'rest', cancel: true});
	showAlert(app, {level: 'info', text: refused});
	app.changed('now');
	return false;
}

/**
Returns the reason why a detach is not possible. Commands and child sessions in the background would end with this
process.
*/
function refusal(app: App): string | undefined {
	const {background, children = []} = statusOf(app.state);
	if (background !== undefined) return detachTexts.background;
	return children.some(child => child.background === true) ? detachTexts.children : undefined;
}
