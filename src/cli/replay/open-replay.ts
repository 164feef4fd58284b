import {
	createReplay,
	type Replay,
	type StoredSessionOptions,
	findStoredSession,
	openBundle,
	readSession,
	realFiles,
	type Decoded,
	type Files,
	type StoredSession,
	type ReplayPlace,
} from '../../pod/index.ts';
import {join} from 'node:path';
import {refusedBundle} from '../bundle/texts.ts';
import {t} from '../../language/index.ts';

type OpenReplayOptions = {
	/** The id of a session, or the path of a bundle. */
	readonly source: string;
	readonly bundle?: ReadingBundle | undefined;
	/** The item at which the replay opens, paused. */
	readonly at: string | undefined;
	readonly speed: number;
	readonly env: StoredSessionOptions['env'];
	readonly cwd: string | undefined;
	readonly manifest: string | undefined;
};

export type Opened =
	| {
			readonly ok: true;
			/** The folder of the session, which may be in a bundle. */
			readonly dir: string;
			/** `onLine` gets the line with the position and the keys whenever it changes. */
			readonly play: (onLine: (line: string) => void) => Replay;
			readonly close: () => Promise<void>;
	  }
	| {readonly ok: false; readonly sentence: string; readonly code: 1 | 2};

/** Reads a session for a replay. */
export async function openReplay({source, bundle, at, speed, env, cwd, manifest}: OpenReplayOptions): Promise<Opened> {
	const where = {cwd, manifest};
	const loaded = await loadSession({id: source, env, ...where}, bundle);
	if (!loaded.ok) return loaded;
	const {session, files, close} = loaded;
	const startPlace: ReturnType<typeof placeOf> = {ok: true, shown: 0};
	const place = at === undefined ? startPlace : placeOf(session.items, at);
	if (!place.ok) {
		await close();
		return {ok: false, sentence: place.sentence, code: 2};
	}
	const start = {from: place.shown, speed, isPlaying: at === undefined};
	const play = (onLine: (line: string) => void) =>
		createReplay({...start, session, files, onMove: now => onLine(replayLine(now))});
	return {ok: true, dir: session.dir, play, close};
}

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

type Loaded =
	| {readonly ok: true; readonly session: StoredSession; readonly files: Files; readonly close: () => Promise<void>}
	| {readonly ok: false; readonly sentence: string; readonly code: 1 | 2};

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

/** Returns the line that replaces the composer: the position and the keys. */
function replayLine({shown, total, at, isPlaying}: ReplayPlace): string {
	const time = at === undefined ? '' : ` · ${at.slice(0, 19).replace('T', ' ')}`;
	const state = isPlaying ? t`Space pause` : t`Space play`;
	const keys = [state, t`←/→ item`, t`[/] request`, t`,/. second`, t`Home/End`, t`c context`, t`q quit`];
	return `${shown}/${total}${time} · ${keys.join(' · ')}`;
}

function noSuchItem(item: string): string {
	return t`No item of this session begins with "${item}". Find ids in an export to Markdown or JSON.`;
}

function severalItems(item: string): string {
	return t`Several items of this session begin with "${item}". Use more characters of the id.`;
}
