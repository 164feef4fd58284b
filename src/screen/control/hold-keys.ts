import {showAlert, update, type App} from './app.ts';
import {secretDropped} from './texts.ts';
import {isEmpty} from '../editor/draft.ts';
import type {ComposerAction} from '../model/composer/composer-state.ts';
import type {HeldInput, Hold} from '../model/keys/keys-state.ts';

/**
Buffers all keys while `open` opens a page or screen. If `open` resolves with true, the buffered keys go to that page or
screen. Otherwise they go to the draft. If keys are already being buffered, that buffer stays in use. `isSecret`: the
user may type an API key.
*/
export async function holdKeys(app: App, open: () => Promise<boolean>, isSecret = false): Promise<void> {
	if (app.state.keys.hold !== undefined) {
		await open();
		return;
	}
	const id = crypto.randomUUID();
	app.dispatch({type: 'begin hold', id, isSecret});
	let isOpen = false;
	try {
		isOpen = await open();
	} finally {
		const hold = holdOf(app, id);
		if (hold !== undefined) {
			app.dispatch({type: 'end hold'});
			if (isOpen && app.state.asks.card === undefined) replay(app, hold);
			else toDraft(app, hold);
			app.changed('now');
		}
	}
}

/** Returns the current buffer if it has this id. */
function holdOf({state}: App, id: string): Hold | undefined {
	const {hold} = state.keys;
	return hold?.id === id ? hold : undefined;
}

/** Adds an input to the buffer. Returns false if no keys are being buffered, or if a card is open and gets the keys. */
export function keepInput(app: App, input: HeldInput): boolean {
	const {hold} = app.state.keys;
	const {card} = app.state.asks;
	if (hold === undefined || card !== undefined) return false;
	app.dispatch({type: 'hold input', input});
	if (hold.inputs.length + 1 >= maxHeld) giveUpHold(app);
	return true;
}

/** Stops buffering and moves the buffered keys to the draft. Returns false if no keys are being buffered. */
export function giveUpHold(app: App): boolean {
	const {hold} = app.state.keys;
	if (hold === undefined) return false;
	app.dispatch({type: 'end hold'});
	toDraft(app, hold);
	return true;
}

/** Empties the buffer and returns the text that the user typed. Returns an empty text for a secret buffer. */
export function takeHeldText(app: App): string {
	const {hold} = app.state.keys;
	if (hold === undefined || hold.isSecret === true) return '';
	app.dispatch({type: 'empty hold'});
	return hold.inputs.map(({text}) => text).join('');
}

/**
Passes the buffered inputs to the app. If an input opens another page or screen, the inputs after it are buffered again.
*/
function replay(app: App, {inputs}: Hold): void {
	for (const [index, input] of inputs.entries()) {
		if (app.state.keys.hold !== undefined) {
			for (const left of inputs.slice(index)) app.dispatch({type: 'hold input', input: left});
			return;
		}
		app.handle(input.input);
	}
}

/** Inserts the inputs into the draft, on a new line if the draft has text. Discards secret inputs. */
function toDraft(app: App, {inputs, isSecret = false}: Hold): void {
	if (isSecret) {
		if (inputs.length > 0) showAlert(app, {level: 'warn', text: secretDropped});
		return;
	}
	const edits = inputs.flatMap(({edit}) => edit ?? []);
	const {draft, cursor} = app.state.composer.editor;
	if (edits.length > 0 && !isEmpty(draft) && cursor.column > 0) update(app, {type: 'insert', text: '\n'});
	for (const edit of typedTogether(edits)) update(app, edit);
}

/**
Joins consecutive typed texts into one edit, because laying out a long draft after each letter would take seconds.
*/
function typedTogether(edits: readonly ComposerAction[]): readonly ComposerAction[] {
	const joined: ComposerAction[] = [];
	let texts: string[] = [];
	const close = () => {
		if (texts.length > 0) joined.push({type: 'typed', texts});
		texts = [];
	};
	for (const edit of edits) {
		if (edit.type === 'insert') {
			texts.push(edit.text);
			continue;
		}
		close();
		joined.push(edit);
	}
	close();
	return joined;
}

const maxHeld = 10_000;
