import type {ReplayStep} from '../../pod/protocol.ts';
import {actions, chordOf} from '../model/keys/keymap.ts';
import {quit, type App} from './app.ts';
import type {Key} from '../terminal/input/input.ts';

/** Handles the keys of a replay. Other keys work in a replay only if they serve to look at the transcript. */
export function pressReplay(app: App, key: Key): boolean {
	const {replay} = app.options;
	if (replay === undefined) return false;
	const chord = key.text !== undefined && key.text !== '' ? key.text : chordOf(key);
	const step = steps.get(chord);
	const action = app.state.setup.keymap.action(key);
	if (step !== undefined) replay(step);
	else if (chord === 'c') void openContext(app);
	else if (chord === 'q' || action === 'cancel' || action === 'erase right or quit') void quit(app);
	else if (action === 'suspend' || action === 'redraw') return false;
	else return action === undefined || action === 'attach again' || actions[action].area !== 'transcript';
	return true;
}

/** Ignores a paste, because a replay takes no text. */
export function pasteInReplay(app: App): boolean {
	return app.options.replay !== undefined;
}

/** Shows the context at the current position of the replay. */
async function openContext(app: App): Promise<void> {
	const {runCommand} = await import('./commands/run-command.ts');
	await runCommand(app, 'context', '');
}

const steps: ReadonlyMap<string, ReplayStep> = new Map([
	['right', 'next item'],
	['left', 'previous item'],
	[']', 'next request'],
	['[', 'previous request'],
	['.', 'next second'],
	[',', 'previous second'],
	['home', 'start'],
	['end', 'end'],
	[' ', 'play'],
	['space', 'play'],
]);
