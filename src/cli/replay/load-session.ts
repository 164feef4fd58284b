import {join} from 'node:path';
import {
	findStoredSession,
	openBundle,
	readSession,
	realFiles,
	type Decoded,
	type Files,
	type StoredSession,
	type StoredSessionOptions,
} from '../../pod/index.ts';
import {refusedBundle} from '../bundle/texts.ts';
import {noSuchItem, severalItems} from './texts.ts';

type Loaded =
	| {readonly ok: true; readonly session: StoredSession; readonly files: Files; readonly close: () => Promise<void>}
	| {readonly ok: false; readonly sentence: string; readonly code: 1 | 2};

/** A bundle whose decoding has begun. */
export type ReadingBundle = {readonly path: string; readonly decoding: Promise<Decoded>};

/** Reads the session of a replay from its folder, or from a bundle that stays open and packed. */
export async function loadSession({id, ...wanted}: StoredSessionOptions, bundle?: ReadingBundle): Promise<Loaded> {
	if (bundle !== undefined) return loadBundle(bundle, id);
	const found = await findStoredSession({id, ...wanted});
	if (!found.ok) return found;
	const read = await readSession(found.dir);
	return read.ok
		? {ok: true, session: read.session, files: realFiles, close: async () => {}}
		: {ok: false, sentence: read.sentence, code: 1};
}

async function loadBundle({path, decoding}: ReadingBundle, name: string): Promise<Loaded> {
	const opened = await openBundle(path, {decoding});
	if (!opened.ok) return {ok: false, sentence: refusedBundle(name, opened.sentence), code: 1};
	const {entries, files, close} = opened.bundle;
	const [root = ''] = [...entries.keys()].map(entry => entry.split('/')[0] ?? '');
	const read = await readSession(join(path, root), files);
	if (read.ok) return {ok: true, session: read.session, files, close};
	await close();
	return {ok: false, sentence: read.sentence, code: 1};
}

/** Returns the position right after an item. `name` is the id of the item or a unique prefix. */
export function placeOf(
	items: StoredSession['items'],
	name: string,
): {readonly ok: true; readonly shown: number} | {readonly ok: false; readonly sentence: string} {
	const exact = items.findIndex(({id}) => id === name);
	if (exact >= 0) return {ok: true, shown: exact + 1};
	const found = items.flatMap(({id}, at) => (id.toLowerCase().startsWith(name.toLowerCase()) ? [at] : []));
	const [first] = found;
	if (first === undefined) return {ok: false, sentence: noSuchItem(name)};
	return found.length > 1 ? {ok: false, sentence: severalItems(name)} : {ok: true, shown: first + 1};
}
