import {switchTo} from '../../commands/switch-to.ts';
import {holdKeys} from '../../hold-keys.ts';
import {dismissAlerts, send, showAlert, update, type App} from '../../app.ts';
import type {AppState} from '../../../model/app-state.ts';
import {mayOpenRewind} from '../../../model/selectors.ts';
import {pointsOf, type Entry, type Point, type Undo} from '../../../model/pages/rewind-points.ts';
import {rewindPage} from '../../../model/pages/rewind-state.ts';
import {
	noMessages,
	noMessageToUndo,
	rewindUndone,
	cannotListFiles,
	cannotRestore,
	changedOutside,
	fileLine,
	filesCard,
	othersAskedNext,
	restoreFiles,
} from '../../../model/pages/texts.ts';
import type {Ask, ChangedFile} from '../../../../pod/protocol.ts';
import {askHere} from '../../card/ask-here.ts';
import {parseDiff} from '../../../rows/diff/diff-layout.ts';

/** Opens the rewind page. Returns a sentence if there is no message to rewind to. */
export function openRewind(app: App): string | undefined {
	const entries = entriesOf(app.state);
	if (entries.length === 0) return noMessages;
	dismissAlerts(app);
	app.dispatch({type: 'open page', page: rewindPage(entries, Date.now())});
	return undefined;
}

/**
Waits until a session exists, and then opens the rewind page if Esc still has no other use. Resolves with whether the
page is open.
*/
export async function askForRewind(app: App): Promise<boolean> {
	await app.opened.promise;
	if (!mayOpenRewind(app.state)) return false;
	const sentence = openRewind(app);
	if (sentence !== undefined) showAlert(app, {level: 'info', text: sentence});
	return sentence === undefined;
}

/** Lists the current messages of the session. */
export function listEntries(app: App): void {
	app.dispatch({type: 'rewind listed', entries: entriesOf(app.state), asOf: Date.now()});
	app.changed('now');
}

/**
Rewinds to before a message and asks whether to restore files. The message becomes the draft only after the question,
because a digit answers a card only if the draft is empty.
*/
export async function goBack(app: App, point: Point): Promise<boolean> {
	const sentence = await rewindBefore(app, point, () => app.dispatch({type: 'close page'}));
	if (sentence !== undefined) showAlert(app, {level: 'error', text: sentence});
	return false;
}

/**
Rewinds to before the user's last message, and asks whether to restore files. Keys that are pressed during this time go
to the draft. Resolves with a sentence if a rewind is not possible.
*/
export async function undoLast(app: App): Promise<string | undefined> {
	let sentence: string | undefined;
	await holdKeys(app, async () => {
		await app.opened.promise;
		const point = entriesOf(app.state).find(entry => entry.kind === 'point')?.point;
		// The command is removed from the composer before the card opens, because a digit answers a card only if the
		// draft is empty.
		const clear = () => update(app, {type: 'accepted'});
		sentence = point === undefined ? noMessageToUndo : await rewindBefore(app, point, clear);
		return false;
	});
	return sentence;
}

async function rewindBefore(app: App, {to, segments}: Point, onRewound: () => void): Promise<string | undefined> {
	const receipt = await send(app, {method: 'rewind', to});
	if (!receipt.accepted) return receipt.sentence;
	onRewound();
	await offerFiles(app, to);
	update(app, {type: 'returned', segments});
	app.changed('now');
	return undefined;
}

export async function undoRewind(app: App, {id}: Undo): Promise<boolean> {
	const receipt = await send(app, {method: 'context', op: 'restore', ids: [id]});
	if (receipt.accepted) app.dispatch({type: 'close page'});
	const undone = {level: 'info', text: rewindUndone} as const;
	showAlert(app, receipt.accepted ? undone : {level: 'error', text: receipt.sentence});
	return false;
}

/** Creates a fork that ends before a message. The message becomes the draft of the fork. */
export async function forkBefore(app: App, {to, segments}: Point): Promise<boolean> {
	const sentence = await switchTo(app, {kind: 'fork', upTo: to}, segments);
	if (sentence !== undefined) showAlert(app, {level: 'error', text: sentence});
	return sentence === undefined;
}

function entriesOf({transcript: {store}}: AppState): readonly Entry[] {
	if (store === undefined) return [];
	const {points, undo} = pointsOf(store.transcript.folded);
	const undos = undo === undefined ? [] : [{kind: 'undo' as const, undo}];
	return [...undos, ...points.map(point => ({kind: 'point' as const, point}))];
}

/**
After a rewind, asks whether to restore the files that tools have changed since that message. A second question is about
the files that were also changed outside inkpod. If no file has changed, the function does not ask.
*/
async function offerFiles(app: App, to: string): Promise<void> {
	const client = await app.client.promise;
	const files = await client.filesSince(to).catch((error: unknown) => {
		const cause = error instanceof Error ? error.message : String(error);
		showAlert(app, {level: 'error', text: cannotListFiles(cause)});
		return [];
	});
	const filesIn = (state: ChangedFile['state']) => files.filter(file => file.state === state);
	const [ours, others] = [filesIn('tools'), filesIn('others')];
	for (const file of filesIn('lost'))
		showAlert(app, {level: 'warn', text: cannotRestore(file.path, file.sentence ?? filesCard.copyMissing)});
	if (ours.length > 0 && (await askHere(app, oursCard(ours, others.length))) === 'allow')
		await restore(app, to, ours);
	if (others.length > 0 && (await askHere(app, othersCard(others))) === 'allow') await restore(app, to, others);
}

function oursCard(files: readonly ChangedFile[], others: number): Omit<Ask, 'id'> {
	const more = others === 0 ? [] : [othersAskedNext(others)];
	const notice = [filesCard.changedByTools, ...more];
	return {
		title: restoreFiles(files.length),
		detail: [...notice, ...files.flatMap(linesOf)].join('\n'),
		shows: 'diff',
		choices: [
			{choice: 'allow', label: filesCard.restore},
			{choice: 'deny', label: filesCard.keep, refuses: true},
		],
	};
}

function othersCard(files: readonly ChangedFile[]): Omit<Ask, 'id'> {
	return {
		title: filesCard.restoreAnyway,
		detail: [changedOutside(files.length), ...files.flatMap(linesOf)].join('\n'),
		shows: 'diff',
		choices: [
			{choice: 'allow', label: filesCard.overwrite},
			{choice: 'deny', label: filesCard.keep, refuses: true},
		],
	};
}

/** Returns the rows about a file. The word before the path prevents the path from looking like a hunk header. */
function linesOf({path, diff, removes, sentence}: ChangedFile): readonly string[] {
	const facts = [
		...(removes === true ? [filesCard.willBeDeleted] : []),
		...(sentence === undefined ? [] : [sentence]),
	];
	const lines = parseDiff(diff.replace(/\n$/, '').split('\n')).filter(({kind}) => kind !== 'file');
	const body = diff === '' ? [filesCard.nothingToShow] : lines.map(({text}) => text);
	return ['', [fileLine(path.replaceAll('\n', '␊')), ...facts].join(' · '), ...body];
}

async function restore(app: App, to: string, files: readonly ChangedFile[]): Promise<void> {
	const changes = files.map(({real, present}) => ({real, present}));
	const receipt = await send(app, {method: 'restore_files', to, files: changes});
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
}
