import type {Ask, ChangedFile} from '../../../pod/protocol.ts';
import {send, showAlert, type App} from '../../state/app.ts';
import {askHere} from '../../card/ask-here.ts';
import {parseDiff} from '../../transcript/diff/diff-lines.ts';
import {plural} from '../../text/formats.ts';

/**
After a rewind: asks whether to restore the files that tools have changed since, and then about those that were also
changed outside inkpod. Nothing is asked where there is nothing to restore.
*/
export async function offerFiles(app: App, to: string): Promise<void> {
	const client = await app.client.promise;
	const files = await client.filesSince(to).catch((error: unknown) => {
		const cause = error instanceof Error ? error.message : String(error);
		showAlert(app, {level: 'error', text: `Cannot find out which files have changed since: ${cause}`});
		return [];
	});
	const [ours, others, lost] = (['tools', 'others', 'lost'] as const).map(state =>
		files.filter(file => file.state === state),
	);
	for (const file of lost!)
		showAlert(app, {
			level: 'warn',
			text: `Cannot restore ${file.path}: ${file.sentence ?? 'the saved copy is missing.'}`,
		});
	if (ours!.length > 0 && (await askHere(app, oursCard(ours!, others!.length))) === 'allow')
		await restore(app, to, ours!);
	if (others!.length > 0 && (await askHere(app, othersCard(others!))) === 'allow') await restore(app, to, others!);
}

function oursCard(files: readonly ChangedFile[], others: number): Omit<Ask, 'id'> {
	const more = others === 0 ? [] : [`${plural(others, 'file')} also changed outside inkpod: asked about next.`];
	const notice = ['Tools have changed these since that message. Changes by commands are not tracked.', ...more];
	return {
		title: `Restore ${plural(files.length, 'file')} too?`,
		detail: [...notice, ...files.flatMap(linesOf)].join('\n'),
		shows: 'diff',
		choices: [
			{choice: 'allow', label: 'Yes, restore as shown'},
			{choice: 'deny', label: 'No, keep the files', refuses: true},
		],
	};
}

function othersCard(files: readonly ChangedFile[]): Omit<Ask, 'id'> {
	const notice = `${files.length === 1 ? 'This file was' : 'These files were'} also changed outside inkpod; those changes will be lost.`;
	return {
		title: 'Restore anyway?',
		detail: [notice, ...files.flatMap(linesOf)].join('\n'),
		shows: 'diff',
		choices: [
			{choice: 'allow', label: 'Yes, overwrite'},
			{choice: 'deny', label: 'No, keep the files', refuses: true},
		],
	};
}

/** No path can look like the head of a hunk after the word before it. */
function linesOf({path, diff, removes, sentence}: ChangedFile): readonly string[] {
	const facts = [
		...(removes === true ? ['will be deleted (created by a tool)'] : []),
		...(sentence === undefined ? [] : [sentence]),
	];
	const lines = parseDiff(diff.replace(/\n$/, '').split('\n')).filter(({kind}) => kind !== 'file');
	const body = diff === '' ? ['  (not text, or nothing to show)'] : lines.map(({text}) => text);
	return ['', [`File: ${path.replaceAll('\n', '␊')}`, ...facts].join(' · '), ...body];
}

async function restore(app: App, to: string, files: readonly ChangedFile[]): Promise<void> {
	const changes = files.map(({real, present}) => ({real, ...(present !== undefined && {present})}));
	const receipt = await send(app, {method: 'restore_files', to, files: changes});
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
}
