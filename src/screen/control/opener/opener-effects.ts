import {holdKeys} from '../hold-keys.ts';
import type {LentFile} from '../../terminal/program.ts';
import type {Action} from '../../model/actions.ts';
import type {AppState} from '../../model/app-state.ts';
import {showAlert, type App} from '../app.ts';
import {resourceFor} from '../runtime.ts';
import type * as StoredParts from '../../rows/block-sources.ts';
import type {BlockSource} from '../../rows/block-sources.ts';
import type {Way} from '../../model/opener/opener-state.ts';

/**
Opens a stored text in the pager or the editor. Runs one program at a time. The program reads keys itself, so keys that
you typed before it starts go to the draft.
*/
export function openInProgram(app: App, part: BlockSource, way: Way): void {
	const {isRunning} = app.state.opener;
	app.dispatch({type: 'open stored'});
	if (isRunning) return;
	void holdKeys(app, async () => {
		await open(app, part, way);
		return false;
	}).finally(() => app.dispatch({type: 'stored program ended'}));
}

/**
Loads the code that reads the texts of blocks with the first transcript, so that the key works at once. Removes the file
when the screen closes.
*/
export function followOpener(app: App, _before: AppState, {type}: Action): void {
	if (type === 'transcript changed' && runtimeOf(app).loading === undefined) void loadParts(app);
	else if (type === 'leave screen') runtimeOf(app).file?.dispose();
}

export function loadedParts(app: App): typeof StoredParts | undefined {
	return runtimeOf(app).stored;
}

export async function loadParts(app: App): Promise<typeof StoredParts> {
	const runtime = runtimeOf(app);
	runtime.loading ??= import('../../rows/block-sources.ts').then(stored => (runtime.stored = stored));
	return runtime.loading;
}

/** `file` is the copy for the program. */
type Runtime = {
	loading: Promise<typeof StoredParts> | undefined;
	stored: typeof StoredParts | undefined;
	file: LentFile | undefined;
};

const runtimeOf = resourceFor((): Runtime => ({loading: undefined, stored: undefined, file: undefined}));

async function open(app: App, part: BlockSource, way: Way): Promise<void> {
	const {openStored} = await import('./open-stored.ts');
	const runtime = runtimeOf(app);
	const alert = await openStored(part, way, app.options, file => {
		runtime.file = file;
	});
	runtime.file = undefined;
	if (alert !== undefined) showAlert(app, alert);
}
