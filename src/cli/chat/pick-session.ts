import {
	changeLabel,
	failureOf,
	failureSentence,
	findText,
	forkStoredSession,
	homeOf,
	homeProblem,
	listAllSessions,
	listSessions,
	liveSessions,
	modelFacts,
	projectDir,
	readFacts,
	readSummary,
	realProject,
	restoreTrashed,
	sessionsRoot,
	trashSession,
	type Env,
	type LiveSession,
	type SessionSummary,
	bodyOf,
	historyFile,
	readAt,
	readEnd,
	realFiles,
	spanOf,
	type OpenFile,
} from '../../pod/index.ts';
import {createKeymap} from '../../screen/model/keys/keymap.ts';
import {type ThemeChoice, asWritten, waitingText} from '../../pod/protocol.ts';
import {detectTheme} from '../../screen/spans/theme.ts';
import {openPicker, pickerViews, type LeftBy} from '../../screen/mount/open-picker.ts';
import type {ForkedEntry} from '../../screen/control/picker/change-effects.ts';
import type {AllListed} from '../../screen/control/picker/picker-effects.ts';
import type {LiveStates} from '../../screen/model/picker/picker-state.ts';
import {loadView, type ViewKind} from './load-view.ts';
import {noSessions, emptyPreview} from './texts.ts';
import {cutText, parseItem, type Item} from '../../worker/index.ts';
import type {PreviewPart} from '../../screen/model/picker/text-search.ts';
import type {FoundText} from '../../screen/model/search/search-state.ts';

type PickSessionIo = {
	readonly env: Env;
	/** The chat's folder. The list begins with the sessions of this folder. */
	readonly cwd: string;
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly kind: ViewKind;
	readonly scrollRegions: boolean | undefined;
	/** Whether the sessions that need the user come first. */
	readonly isByNeed?: boolean | undefined;
	/** The configured signs of the screen, and whether the screen has links. */
	readonly glyphs?: 'unicode' | 'ascii' | undefined;
	readonly links?: boolean | undefined;
	readonly theme?: ThemeChoice | undefined;
	/** The text that the user typed before the list opened. */
	readonly typed?: string;
};

/**
`picked`: the session's folder. `found`: the text that the search found in it. `none`: the exit code, with a sentence
when no screen opened.
*/
type PickedSession =
	| {readonly picked: string; readonly found?: FoundText | undefined}
	| {readonly none: number; readonly sentence?: string};

/** Shows the list of sessions and restores the terminal. If there are no sessions, no screen opens. */
export async function pickSession(io: PickSessionIo): Promise<PickedSession> {
	const {env, cwd, stdin, stdout, kind, scrollRegions, glyphs, links, theme, isByNeed = false, typed = ''} = io;
	const home = homeOf(env);
	const root = sessionsRoot(env, home);
	const problem = await homeProblem(env);
	if (problem !== undefined) return {none: 2, sentence: problem};
	const here = await listed(async () => listSessions(projectDir(root, await realProject(cwd))), root);
	if (!here.ok) return {none: 2, sentence: here.sentence};
	const listAll = async () => listed(async () => listAllSessions(root), root);
	const all = here.entries.length > 0 ? undefined : await listAll();
	if (all?.ok === false) return {none: 2, sentence: all.sentence};
	if (all?.entries.length === 0) return {none: 0, sentence: noSessions};
	let models: ReturnType<typeof modelFacts> | undefined;
	const result = await openPicker({
		stdin,
		stdout,
		home,
		view: await loadView(kind, pickerViews, {env, scrollRegions}),
		inline: kind !== 'full',
		isSpoken: kind === 'spoken',
		keymap: createKeymap().keymap,
		theme: detectTheme(env, {glyphs, links, choice: theme}),
		lists: {here: here.entries, ...(all && {all: all.entries})},
		listAll,
		isByNeed,
		readLive: async () => readLive(env),
		readFacts: async ({dir}, signal) => readFacts(dir, signal, await (models ??= modelFacts(env))),
		typed,
		remove: async ({dir}) => trashSession(dir, env),
		restore: async dir => restoreTrashed(dir, env),
		pin: async ({dir}, isPinned) => pinSession(dir, isPinned),
		fork: async ({dir}) => forkListed(dir),
		async exportTo({id, dir}, file, isReplacing) {
			const {exportFromChat} = await import('../records.ts');
			return exportFromChat(file, {id, dir, env, cwd, force: isReplacing});
		},
		findText: async ({dir}, text, signal) => findText(dir, text, signal),
		preview: async ({dir}, signal) => {
			const [parts] = await Promise.all([previewSession(dir, signal), loadMarkdown()]);
			return parts;
		},
	});
	if (!('picked' in result)) return {none: codes[result.left]};
	return {picked: result.picked.dir, found: result.found};
}

/**
Returns the beginnings of the user's last message in a session and of the last answer to it. The function reads at most
the last `maxBytes` of the history, so the cost does not grow with the session. It does not check the hash chain. If the
read fails, a notice says so.
*/
export async function previewSession(dir: string, signal: AbortSignal): Promise<readonly PreviewPart[]> {
	const path = historyFile(dir);
	try {
		const file = await realFiles.open(path, 'r');
		try {
			return partsOf(withEnd(await lastMessages(file, signal), await readEnd(dir)));
		} finally {
			await file.close();
		}
	} catch (error) {
		return [{speaker: 'notice', text: failureSentence(failureOf(error), path, error)}];
	}
}

/** Loads the Markdown parser. The preview of an answer needs it, but the list itself opens without it. */
async function loadMarkdown(): Promise<void> {
	await import('../../screen/markdown/stream.ts');
}

/**
Returns the states of the open sessions. A process of an earlier version does not report its state, but it has the
session open.
*/
async function readLive(env: Env): Promise<LiveStates> {
	const live = await liveSessions(env).catch(() => new Map<string, LiveSession>());
	return new Map([...live].map(([id, {state = 'idle'}]) => [id, state]));
}

async function forkListed(dir: string): Promise<ForkedEntry> {
	const forked = await forkStoredSession(dir);
	if (!forked.ok) return forked;
	try {
		return {ok: true, entry: await readSummary(forked.dir), warnings: forked.warnings};
	} catch (error) {
		return {ok: false, sentence: failureSentence(failureOf(error), forked.dir, error)};
	}
}

async function pinSession(dir: string, isPinned: boolean): Promise<string | undefined> {
	try {
		await changeLabel(dir, {pinned: isPinned ? true : undefined});
		return undefined;
	} catch (error) {
		return failureSentence(failureOf(error), dir, error);
	}
}

async function listed(list: () => Promise<SessionSummary[]>, root: string): Promise<AllListed> {
	try {
		return {ok: true, entries: await list()};
	} catch (error) {
		return {ok: false, sentence: failureSentence(failureOf(error), root, error)};
	}
}

const codes: Readonly<Record<LeftBy, number>> = {key: 0, SIGINT: 130, SIGTERM: 143, SIGHUP: 129};

type LastMessages = {readonly user?: string; readonly model?: string};

/** Adds the text of the last answer and of the last queued message, if it is not in the history yet. */
function withEnd(found: LastMessages, end: Awaited<ReturnType<typeof readEnd>>): LastMessages {
	const {streamed, waiting} = end?.open ?? {streamed: [], waiting: []};
	const answers = streamed.flatMap(item => (item.type === 'message' && item.role === 'assistant' ? [item.text] : []));
	const [last, answer] = [waiting.at(-1), answers.at(-1)];
	if (last !== undefined) return {user: waitingText(last)};
	return answer === undefined ? found : {...found, model: answer};
}

/** Reads larger and larger parts of the history's end until a part contains a user message. */
async function lastMessages(file: OpenFile, signal: AbortSignal): Promise<LastMessages> {
	const {size} = await file.stat();
	for (let length = firstBytes; ; length *= 4) {
		const taken = Math.min(length, maxBytes, size);
		const found = messagesIn(await readAt(file, size - taken, taken));
		const isAll = taken === Math.min(maxBytes, size);
		if (isAll || signal.aborted || found.user !== undefined) return found;
	}
}

/**
Reads from the last line back to the last user message, so that an older answer is not shown with it. Skips incomplete
lines: the first line of the part, and a line that is being written.
*/
function messagesIn(bytes: Buffer): LastMessages {
	let found: LastMessages = {};
	let rewoundTo: string | undefined;
	const restored = new Set<string>();
	for (let end = bytes.length; end > 0 && found.user === undefined;) {
		const start = bytes.lastIndexOf(newline, end - 1) + 1;
		const item = itemAt(bytes, start, end);
		end = start - 1;
		if (item === undefined) continue;
		if (rewoundTo !== undefined && item.id !== rewoundTo) continue;
		rewoundTo = item.type === 'rewind' && !restored.has(item.id) ? item.to : undefined;
		if (item.type === 'context' && item.op === 'restore') for (const id of item.ids) restored.add(id);
		found = withItem(found, item);
	}
	return found;
}

function itemAt(bytes: Buffer, start: number, end: number): Item | undefined {
	const span = spanOf(bytes, start, end);
	return span === undefined ? undefined : parseItem(bodyOf(bytes, span));
}

function withItem(found: LastMessages, item: Item): LastMessages {
	if (item.type !== 'message' || item.role === 'system' || item.text.trim() === '') return found;
	return item.role === 'user' ? {...found, user: item.text} : {model: item.text, ...found};
}

function partsOf({user, model}: LastMessages): readonly PreviewPart[] {
	const parts: PreviewPart[] = [];
	if (user !== undefined) parts.push({speaker: 'user', text: asWritten(beginning(user))});
	if (model !== undefined) parts.push({speaker: 'model', text: beginning(model)});
	return parts.length > 0 ? parts : [{speaker: 'notice', text: emptyPreview}];
}

function beginning(text: string): string {
	return cutText(text.slice(0, shownBytes).toWellFormed(), shownBytes).text;
}

const newline = 0x0a;

const firstBytes = 65_536;

const maxBytes = 4_194_304;

/** The maximum number of bytes that the preview shows. */
const shownBytes = 4096;
