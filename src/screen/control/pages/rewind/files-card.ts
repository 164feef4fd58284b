import type {Ask, ChangedFile} from '../../../../pod/protocol.ts';
import {send, showAlert, type App} from '../../app.ts';
import {askHere} from '../../card/ask-here.ts';
import {parseDiff} from '../../../rows/diff/diff-lines.ts';
import {
	cannotListFiles,
	cannotRestore,
	changedOutside,
	fileLine,
	filesCard,
	othersAskedNext,
	restoreFiles,
} from '../../../model/pages/texts.ts';

/**
After a rewind, asks whether to restore files that tools have changed since. A second question is about files that were
also changed outside inkpod. If no file has changed, it does not ask.
*/
export async function offerFiles(app: App, to: string): Promise<void> {
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

/** The word before a path prevents the path from looking like a hunk header. */
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
