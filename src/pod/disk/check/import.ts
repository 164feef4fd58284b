import {HistoryError, type Clock, type Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {modeChange, recordedIn} from '../../ground/history/recorded.ts';
import {createSession} from '../log/create.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {projectDir} from '../paths.ts';
import {rawLinesOf} from '../log/raw-lines.ts';
import {importTexts} from '../texts.ts';
import {verifySession} from './verify.ts';

type Imported =
	/** `redacted`: the number of secrets that the copy lacks. `media`: whether it lacks images or documents. */
	| {
			readonly ok: true;
			readonly dir: string;
			readonly items: number;
			readonly redacted?: number;
			readonly media: boolean;
	  }
	| {readonly ok: false; readonly sentence: string};

/**
Creates a session of a project from a history.json, with a new id. The file must be intact. The session keeps the folder
in which it worked, so its first run asks as for a session that moved. Only items come with it: no trust, no rules, no
approval mode or limits that somebody else chose, and no files beside the history. `cwd` is the real path of the
project.
*/
export async function importSession(
	file: string,
	{root, cwd}: {readonly root: string; readonly cwd: string},
	clock: Clock,
	files: Files = realFiles,
): Promise<Imported> {
	try {
		const read = await readIntact(file, files);
		if (!read.ok) return read;
		const {items, from, redacted} = read;
		const session = createSession({root, cwd: from, project: projectDir(root, cwd)}, clock, files);
		const {readOnly} = recordedIn(items).mode;
		await session.log.write([...items, ...modeChange({items}, readOnly === true ? {readOnly} : {}, clock)]);
		await session.close();
		const media = items.some(item => item.type === 'message' && mediaKinds.has(item.origin?.kind ?? ''));
		return {ok: true, dir: session.dir, items: items.length, media, redacted};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: failureSentence(failureOf(error), file, error)};
	}
}

type Intact = {readonly ok: true; readonly items: readonly Item[]; readonly from: string; readonly redacted?: number};

async function readIntact(
	path: string,
	files: Files,
): Promise<Intact | {readonly ok: false; readonly sentence: string}> {
	const read = await rawLinesOf(path, files);
	if (!read.ok) return read;
	const {items, decoded} = read;
	const {header} = decoded;
	const {ok, findings} = verifySession({id: header.session, decoded});
	const first = findings.find(({level}) => level === 'failure');
	if (!ok || !decoded.closed) return {ok: false, sentence: importTexts.damaged(path, first?.sentence)};
	if (items.length === 0) return {ok: false, sentence: importTexts.empty(path)};
	const count = header.redacted?.count;
	return {ok: true, items, from: header.cwd, redacted: count};
}

/** The origins of items whose bytes are beside the history. */
const mediaKinds: ReadonlySet<string> = new Set(['image', 'document']);
