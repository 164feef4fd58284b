import type {FileState, FileRef, PodClient} from '../pod/protocol.ts';
import {isBusy, tell, update, type App, type Part} from './state/app.ts';
import {isEmpty} from './composer/draft.ts';
import {toSegments} from './composer/segments.ts';
import {blockAtFocus, visibleBlocksOf} from './geometry.ts';
import type {StaleState} from './transcript/rows/render.ts';
import type {SystemPart} from './transcript/fold/block.ts';

/**
Finds out of the files on the screen whether they are still what the model saw: when they come into view, when a run has ended, when the
person begins to write or comes back to the terminal (not every one tells that), and when they press the key that attaches such a file again;
behind the frame, and never by a clock.
*/
export function createStaleBadges(ask: (client: PodClient, ids: readonly string[]) => Promise<readonly FileState[]>): Part {
	const asked = new Set<string>();
	let wasBusy = false;
	let wasFocused: boolean | undefined;
	let wasEmpty = true;
	let looking = false;

	async function look(app: App): Promise<void> {
		looking = false;
		const {transcript: store} = app.state;
		if (store === undefined || app.state.quitting) return;
		const shown = new Set(filesOnScreen(app).map(({item}) => item.id));
		for (const id of asked) if (!shown.has(id)) asked.delete(id);
		const ids = [...shown].filter(id => !asked.has(id));
		if (ids.length === 0) return;
		for (const id of ids) asked.add(id);
		await app.client.promise.then(async client => ask(client, ids)).then(
			states => {
				const before = store.version();
				store.setStale(new Map(states.map(({id, state}) => [id, badges[state]])));
				if (store.version() !== before) app.changed('soon');
			},
			// A pod that is gone says so by itself.
			() => {},
		);
	}

	return {
		heard(app) {
			const busy = isBusy(app.state);
			if (wasBusy && !busy) asked.clear();
			wasBusy = busy;
		},
		rows(app) {
			if (wasFocused === false && app.state.focused === true) asked.clear();
			wasFocused = app.state.focused;
			const empty = isEmpty(app.state.composer.editor.draft);
			if (wasEmpty && !empty) asked.clear();
			wasEmpty = empty;
			if (!looking) queueMicrotask(() => void look(app));
			looking = true;
			return [];
		},
		press(app, key) {
			const action: string | undefined = app.state.setup.keymap.action(key);
			if (action !== 'attach again') return false;
			asked.clear();
			void look(app).then(() => {
				attachAgain(app);
				app.changed('now');
			});
			return true;
		},
	};
}

const badges: {readonly [State in FileState['state']]: StaleState | undefined} = {same: undefined, changed: 'changed', gone: 'gone', unknown: undefined};

/** The one that is looked at, else the one nearest to the composer that is not in the draft. */
function attachAgain(app: App): void {
	const {transcript: store} = app.state;
	const stale = filesOnScreen(app).filter(({item}) => store?.stale(item.id) === 'changed');
	const refs = stale.map(part => ({part, ref: refOf(part)}));
	const inDraft = toSegments(app.state.composer.editor.draft).filter(segment => segment.type === 'file_ref');
	const left = refs.filter(({ref}) => !inDraft.some(other => sameRef(other, ref)));
	const focus = blockAtFocus(app)?.id;
	const chosen = left.find(({part}) => part.item.id === focus) ?? left.at(-1);
	if (chosen === undefined) {
		tell(app, {level: 'info', text: refs.length === 0 ? 'No file on the screen has changed on disk.' : 'What has changed on disk is in the draft already.'});
		return;
	}
	const {cursor, draft} = app.state.composer.editor;
	const before = draft[cursor.line]![cursor.column - 1];
	if (before !== undefined && !(typeof before === 'string' && /\s/.test(before))) update(app, {type: 'insert', text: ' '});
	const {column} = app.state.composer.editor.cursor;
	update(app, {type: 'put', from: column, to: column, segments: [chosen.ref], space: true});
}

function filesOnScreen(app: App): readonly SystemPart[] {
	return visibleBlocksOf(app).flatMap(block => (block.kind === 'system' ? block.parts.filter(({origin}) => origin?.kind === 'file' || origin?.kind === 'auto_read') : []));
}

function refOf({origin}: SystemPart): FileRef {
	if (origin?.kind !== 'file' && origin?.kind !== 'auto_read') throw new Error('only a file can be attached again');
	return {type: 'file_ref', path: origin.path, ...(origin.range && {range: origin.range})};
}

function sameRef(one: FileRef, other: FileRef): boolean {
	return one.path === other.path && one.range?.first === other.range?.first && one.range?.last === other.range?.last;
}
