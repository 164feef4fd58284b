import {t} from '../../../language/index.ts';
import {readablePath} from '../../ground/files/byte-path.ts';
import {onOneLine, quoteUntrusted} from '../../ground/text/one-line.ts';
import type {ShownChanges} from '../../permissions/approval/take-card.ts';
import type {CellChange, CellChanges} from '../../permissions/confine/cell-changes.ts';
import type {ChangePart, PartedChanges} from '../../permissions/confine/change-parts.ts';
import {plainPath} from '../../permissions/confine/effects.ts';
import {decodeText} from '../files/file-text.ts';
import {diffOf} from '../files/planned-change.ts';

type Ended = {
	readonly command: string;
	/** How many milliseconds the command ran. */
	readonly ms: number;
	/** The exit code. `undefined` after a signal. */
	readonly code: number | undefined;
	/** The end of the output. */
	readonly output: string;
	readonly mayRunUnconfined: boolean;
};

/**
Returns what a card shows of a command that was tried: the command, how it ended, every file that it changed, the end of
the output, and the diffs of small texts. A new folder with many files is one line, with the number of its files.
*/
export async function shownChanges(changes: PartedChanges, ended: Ended): Promise<ShownChanges> {
	const {command, ms, code, output, mayRunUnconfined} = ended;
	const seconds = (ms / 1000).toFixed(1);
	const end = code === undefined ? t`ended by a signal` : t`exit ${code}`;
	const lines = output.trimEnd().split('\n').slice(-shownLines);
	const diffs = await diffsOf(changes.files);
	const parts = [
		[`$ ${command}`, t`${end} after ${seconds} s`],
		[...changes.files.map(fileLine), ...gitLines(changes), ...leftLines(changes), ...changes.notes],
		output.trim() === '' ? [] : [t`Output:`, ...lines],
		diffs,
	];
	const shown = parts.filter(part => part.length > 0).map(part => part.join('\n'));
	return {
		detail: shown.join('\n\n'),
		shows: diffs.length > 0 ? 'diff' : 'text',
		parts: changes.parts.map(partLine),
		command: mayRunUnconfined ? command : undefined,
	};
}

const shownLines = 10;

const signs = {added: '+', changed: '~', deleted: '-'} as const;

function fileLine({type, path, files, isProtected, target, modes}: CellChange): string {
	const count = files > 1 || (type === 'added' && path.endsWith('/')) ? String(files) : '';
	const link = target === undefined ? '' : ` → ${quoteUntrusted(readablePath(target))}`;
	const note = isProtected ? t` (other programs run this file)` : '';
	return `${signs[type]}${count} ${onOneLine(readablePath(path))}${link}${modes ? modesNote(modes) : ''}${note}`;
}

/** Returns the line of a part that can be taken on its own. A folder counts its files. */
function partLine({files, isGit}: ChangePart): string {
	const lines = files.map(fileLine);
	return isGit ? [t`git: all of it`, ...lines].join(', ') : lines.join(', ');
}

function modesNote({before, after}: NonNullable<CellChange['modes']>): string {
	const [old, now] = [before, after].map(mode => mode?.toString(8).padStart(3, '0'));
	return old === undefined ? t` (permissions ${now})` : t` (permissions ${old} → ${now})`;
}

function gitLines({refs, gitFiles, gitObjects}: CellChanges): readonly string[] {
	const names = gitFiles.map(path => onOneLine(readablePath(path)));
	return [
		...refs.map(refLine),
		...names.map(name => `git: ~ ${name}`),
		...(gitObjects > 0 ? [t`git: ${gitObjects} new files with objects`] : []),
	];
}

function refLine({ref, old, new: made, repository}: CellChanges['refs'][number]): string {
	const where = repository === undefined ? '' : ` (${onOneLine(readablePath(repository))})`;
	return `git: ${onOneLine(plainPath(ref))} ${short(old)} → ${short(made)}${where}`;
}

function short(object: string): string {
	return /^0+$/.test(object) ? t`nothing` : object.slice(0, 9);
}

function leftLines({leftOut}: CellChanges): readonly string[] {
	return leftOut.map(({path, why}) => `! ${onOneLine(readablePath(plainPath(path)))}: ${leftReasons[why]}`);
}

/** Why a change is not taken over. */
const leftReasons = {
	conflict: t`stays as it is, because it was changed outside meanwhile`,
	protected: t`stays as it is, because other programs run it`,
	git: t`stays as it is, because git would use it`,
	special: t`is not created, because it is not a file, link or folder`,
};

/** Returns the lines of the diffs, unless there are too many lines or files. The card names the files in any case. */
async function diffsOf(files: readonly CellChange[]): Promise<readonly string[]> {
	const lines: string[] = [];
	let bytes = 0;
	for (const {path, read} of files.filter(file => !file.path.endsWith('/')).slice(0, maxDiffs)) {
		if (lines.length >= maxDiffLines || bytes >= maxDiffBytes) break;
		const {before, after} = read();
		bytes += (before?.length ?? 0) + (after?.length ?? 0);
		const [old, now] = [before && decodeText(before), after && decodeText(after)];
		if (now === undefined || (before !== undefined && old === undefined)) continue;
		const name = readablePath(path);
		const diff = (await diffOf({path: name}, old, now)).trimEnd().split('\n');
		const isShown = diff[0] !== '' && lines.length + diff.length < maxDiffLines;
		if (isShown) lines.push(`${onOneLine(name)}:`, ...diff);
	}
	return lines;
}

/**
The maximum number of lines of all diffs. The limit is low, because the user must read a card to its end to answer it.
*/
const maxDiffLines = 120;

/** The maximum number of files with a diff. The screen waits for the diffs. */
const maxDiffs = 120;
const maxDiffBytes = 1024 * 1024;
