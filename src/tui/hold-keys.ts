import {update, type App} from './app-state.ts';
import {isEmpty} from './composer/draft.ts';
import type {HeldInput, Hold} from './hold.ts';

/**
Claims the keys at once, and opens something. `open` resolves with whether it is there: then it gets the keys. Where another
hold is there already, that one goes on.
*/
export async function holdKeys(app: App, open: () => Promise<boolean>): Promise<void> {
	if (app.hold !== undefined) {
		await open();
		return;
	}
	const hold: Hold = {since: app.options.now(), inputs: []};
	app.hold = hold;
	let isOpen = false;
	try {
		isOpen = await open();
	} finally {
		if (app.hold === hold) {
			app.hold = undefined;
			if (isOpen && app.card === undefined) replay(app, hold);
			else toDraft(app, hold.inputs);
			app.changed('now');
		}
	}
}

/** Keeps an input while something is opening. False: nothing is, or a card is up, which has the keys. */
export function keepInput(app: App, input: HeldInput): boolean {
	const {hold, card} = app;
	if (hold === undefined || card !== undefined) return false;
	hold.inputs.push(input);
	if (hold.inputs.length >= mostHeld) giveUpHold(app);
	return true;
}

/** Gives the keys that wait back to the draft. False: none are waiting for anything. */
export function giveUpHold(app: App): boolean {
	const {hold} = app;
	if (hold === undefined) return false;
	app.hold = undefined;
	toDraft(app, hold.inputs);
	return true;
}

/** What was typed since something began to open; it is not given to anything else then. */
export function takeHeldText({hold}: App): string {
	return hold?.inputs.splice(0).map(({text}) => text).join('') ?? '';
}

/** One of the inputs may open something else: what follows waits for that. */
function replay(app: App, {inputs}: Hold): void {
	for (const [index, input] of inputs.entries()) {
		if (app.hold !== undefined) {
			app.hold.inputs.push(...inputs.slice(index));
			return;
		}
		input.replay();
	}
}

/** On a line of its own where something is written there already. */
function toDraft(app: App, inputs: readonly HeldInput[]): void {
	const edits = inputs.flatMap(({edit}) => edit ?? []);
	const {draft, cursor} = app.composer.editor;
	if (edits.length > 0 && !isEmpty(draft) && cursor.column > 0) update(app, {type: 'insert', text: '\n'});
	for (const edit of edits) update(app, edit);
}

const mostHeld = 10_000;
