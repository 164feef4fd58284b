import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item} from '../../worker/index.ts';
import {errorCode} from '../files/fs-error.ts';
import {closingResults} from '../history/reader.ts';
import {shareBackups} from './backups.ts';
import {createSession} from './create.ts';
import {failureOf, failureSentence, realFiles, type Files} from './files.ts';
import {damageSentence} from './notices.ts';
import {historyFile, idOf} from './paths.ts';
import {rawLines, type RawLines} from './raw-lines.ts';
import {soundItems} from './sound-items.ts';
import {repairTexts, verifyTexts} from './texts.ts';
import {verifySession} from './verify.ts';

export type Repaired =
	/** `dir` is the folder of the copy. `changes` are sentences about what differs from the damaged session. */
	| {readonly ok: true; readonly dir: string; readonly changes: readonly string[]}
	/** `intact`: there is nothing to repair. */
	| {readonly ok: false; readonly intact: boolean; readonly sentence: string};

export type RepairOptions = {
	/** The hashes of the backups that belong to these items. */
	readonly backupsOf: (items: readonly Item[]) => Iterable<string>;
};

/**
Creates a sound copy of a damaged session beside it. It does not change the damaged session. The copy contains every
item that can be read, in the order in which they were written, and a notice where something is missing.
*/
export async function repairSession(
	dir: string,
	{backupsOf}: RepairOptions,
	clock: Clock,
	files: Files = realFiles,
): Promise<Repaired> {
	try {
		const read = await rawLines(dir, files);
		if (!read.ok) return {ok: false, intact: false, sentence: read.sentence};
		const {items, changes: left} = soundItems(read, idOf(dir));
		const closed = closingResults(items, repairTexts.lostResult, clock);
		const changes = [
			...fileChanges(read),
			...left,
			...(closed.length > 0 ? [repairTexts.closed(closed.length)] : []),
		];
		const isSound = read.decoded.closed && verifySession({id: idOf(dir), decoded: read.decoded}).ok;
		if (isSound) return {ok: false, intact: true, sentence: repairTexts.intact};
		const last = items.at(-1);
		if (last === undefined) return {ok: false, intact: false, sentence: repairTexts.empty};
		const session = createSession(
			{
				root: dirname(dirname(dir)),
				project: dirname(dir),
				cwd: read.cwd,
				fork: {session: idOf(dir), to: last.id},
			},
			clock,
			files,
		);
		await session.log.write([...items, ...closed]);
		const missing = await shareBackups(dir, session.dir, backupsOf(items), files).catch(oneMissing);
		await session.close();
		return {ok: true, dir: session.dir, changes: missing > 0 ? [...changes, repairTexts.backups] : changes};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, intact: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		return {ok: false, intact: false, sentence: failureSentence(failureOf(error), historyFile(dir), error)};
	}
}

/** Returns sentences about the damage of the file. */
function fileChanges({decoded}: Extract<RawLines, {readonly ok: true}>): string[] {
	const end = decoded.torn ? verifyTexts.torn : verifyTexts.openEnd;
	return [
		...decoded.lines.flatMap(line => ('damage' in line ? [damageSentence(line)] : [])),
		...decoded.unchecked.map(line => repairTexts.line(line, verifyTexts.unchecked)),
		...decoded.unseparated.map(line => repairTexts.line(line, verifyTexts.unseparated)),
		...(decoded.closed ? [] : [end]),
	];
}

function oneMissing(error: unknown): number {
	if (errorCode(error) === '') throw error;
	return 1;
}
