import {basename, dirname, join, resolve} from 'node:path';
import {
	bundleFiles,
	collectFiles,
	createRedactor,
	errorCode,
	failureOf,
	failureSentence,
	findStoredSession,
	idOf,
	memorySource,
	packBundle,
	readSession,
	type ByteSource,
	type FoundSecrets,
	type PackedFile,
	type ScreenDigest,
	type StoredSessionOptions,
	type StoredSession,
} from '../../pod/index.ts';
import {waitingText} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {destinationProblem, writeWhole} from '../export/destination.ts';
import {notWritten, writtenFile} from '../export/texts.ts';
import type {Output} from '../sessions.ts';
import {holdsSecrets, needsExact} from './texts.ts';
import {language} from '../../language/index.ts';
import {createHash} from 'node:crypto';
import {plainText} from '../../screen/spans/row.ts';
import {createTranscriptStore} from '../../screen/rows/store.ts';

type ExportBundleOptions = StoredSessionOptions & {
	readonly to: string;
	/** Whether the bundle may contain secrets. */
	readonly exact: boolean;
	readonly force: boolean;
	/** The version of inkpod. */
	readonly version: string;
	readonly stderr: Output;
};

/**
Implements `inkpod export <id> --format bundle --to FILE`: packs a session with its images, backups, children and
compactions. It only reads the session. A name that ends in .gz or .tgz makes a compressed bundle. The exit code is 0, 1
for a failure or for secrets without `exact`, or 2 for bad usage or configuration.
*/
export async function exportBundle({
	to,
	exact,
	force,
	version,
	stderr,
	...wanted
}: ExportBundleOptions): Promise<number> {
	const warn = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	const refuse = (sentence: string, code: number) => {
		warn(sentence);
		return code;
	};
	const file = resolve(wanted.cwd ?? '.', to);
	const problem = await destinationProblem(file, {force, ...wanted});
	if (problem !== undefined) return refuse(problem.sentence, 2);
	const stored = await findStoredSession(wanted);
	if (!stored.ok) return refuse(stored.sentence, stored.code);
	const session = idOf(stored.dir);
	try {
		const files = await collectFiles(stored.dir);
		const looked = await lookInto(files, session);
		if ('sentence' in looked) return refuse(looked.sentence, 1);
		const {found, screens} = looked;
		if (found.count > 0 && !exact) {
			for (const line of needsExact(found)) warn(line);
			return 1;
		}
		const facts = {inkpod: version, language: screenLanguage, session, screens};
		const bytes = packBundle({files, facts, isZipped: /\.(?:gz|tgz)$/i.test(to)});
		const failed = await writeWhole(file, bytes, force);
		if (failed !== undefined) return refuse(notWritten(to, failed), 1);
		warn(writtenFile(to));
		if (found.count > 0) warn(holdsSecrets(found));
		return 0;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return refuse(failureSentence(failureOf(error), stored.dir, error), 1);
	}
}

/** The language of the texts on the screen. */
export const screenLanguage = language;

/**
Returns a digest for each turn of a session: the hash of the rows of the session's blocks right after the end of the
turn, in the normal view at 80 columns. `file`: the name of the session's history in the bundle.
*/
export function screenDigests({id, items}: Pick<StoredSession, 'id' | 'items'>, file: string): readonly ScreenDigest[] {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	const session = {id, model: '', scope: {pwd: '/', writable: false, readRoots: []}};
	const status = {kind: 'idle', asks: [], queue: []} as const;
	store.dispatch({type: 'snapshot', session, items: [], tail: [], status});
	const digests: ScreenDigest[] = [];
	let shown = 0;
	for (const item of items) {
		store.dispatch({type: 'item', item});
		if (item.type !== 'run_end') continue;
		const sum = createHash('sha256');
		let rows = 0;
		// A rewind may have removed blocks.
		for (let index = Math.min(shown, store.count()); index < store.count(); index++)
			for (const row of store.rows(index)) {
				sum.update(`${plainText(row).trimEnd()}\n`);
				rows += 1;
			}
		shown = store.count();
		digests.push({file, item: item.id, rows, sha256: sum.digest('hex')});
	}
	store.dispose();
	return digests;
}

type Looked = {readonly found: FoundSecrets; readonly screens: readonly ScreenDigest[]} | {readonly sentence: string};

/** Finds the secrets in histories and backups, and makes the digests of all screens. It uses the packed bytes. */
async function lookInto(files: readonly PackedFile[], session: string): Promise<Looked> {
	const redactor = createRedactor();
	const screens: ScreenDigest[] = [];
	const open = await openEnds(files, session);
	for (const {name, kind, load} of files) {
		const bytes = kind === 'blob' || kind === 'open end' || kind === 'signatures' ? undefined : await load();
		if (bytes === undefined) continue;
		if (kind === 'backup') {
			redactor.lookInto(bytes.toString('utf8'), name);
			continue;
		}
		const path = join('/', session, name);
		const source = new Map([...open, [path.slice(1), memorySource(bytes)]]);
		const read = await readSession(dirname(path), bundleFiles('/', source));
		if (!read.ok) {
			if (name === basename(name)) return {sentence: read.sentence};
			continue;
		}
		const where = name === basename(name) ? 'item' : `${dirname(name)}, item`;
		redactor.look(read.session.items, id => `${where} ${id}`);
		for (const message of read.session.open.waiting)
			redactor.lookInto(waitingText(message), `${where} ${message.id}`);
		if (!/(?:compactions|asides)\//.test(name)) screens.push(...screenDigests(read.session, name));
	}
	return {found: redactor.found(), screens};
}

/** Returns the files with data that is not in the histories yet, by their paths in the bundle. */
async function openEnds(files: readonly PackedFile[], session: string): Promise<ReadonlyMap<string, ByteSource>> {
	const found = new Map<string, ByteSource>();
	for (const {name, kind, load} of files) {
		const bytes = kind === 'open end' ? await load() : undefined;
		if (bytes !== undefined) found.set(join(session, name), memorySource(bytes));
	}
	return found;
}
