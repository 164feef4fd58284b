import {createReplay, type Replay, type StoredSessionOptions} from '../../pod/index.ts';
import {loadSession, placeOf, type ReadingBundle} from './load-session.ts';
import {replayLine} from './texts.ts';

export type OpenReplayOptions = {
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
