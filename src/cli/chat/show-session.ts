import {basename} from 'node:path';
import type {ChatLaunch} from '../start/launch.ts';
import {
	homeOf,
	loadOpenPlanned,
	loadPrograms,
	openDrafts,
	openEarlyDrafts,
	type Opened,
	type OpenPod,
	type Plan,
} from '../../pod/first-frame.ts';
import {shadowedSentences} from '../../screen/model/commands/commands.ts';
import {createKeymap} from '../../screen/model/keys/keymap.ts';
import {desktopCode} from '../../screen/terminal/window/desktop-notification.ts';
import {hasProgress} from '../../screen/terminal/window/program-status.ts';
import {openScreen, type Screen} from '../../screen/mount/open-screen.ts';
import {createDraftSlot, type DraftSlot, type DraftStore} from '../../screen/control/drafts/draft-store.ts';
import {assumedGround} from '../../screen/spans/palettes.ts';
import {detectTheme, type Theme} from '../../screen/spans/theme.ts';
import type {ThemeService} from '../../screen/control/app.ts';
import {themeNamed, themeNames} from '../../pod/protocol.ts';
import type {TranscriptStore} from '../../screen/rows/store.ts';
import {loadChunks, nextTurn, startChunks} from '../../screen/mount/start-chunks.ts';
import {ownCommand} from '../start/own-command.ts';
import {createPreload} from '../start/preload.ts';
import type {ChatIo} from './session-screen.ts';
import type {Exit, ExitSignals} from './exit-signals.ts';
import {chatViews, isStill, loadView, loadVim, viewKind, type ViewKind} from './load-view.ts';
import {markTerminal} from './exit-signals.ts';
import {movedOld, attachHint, notExportable, resumeHint} from './texts.ts';
import type {NextScreen, SessionScreen} from './session-screen.ts';
import {welcome} from './welcome.ts';

/** A screen that was closed. */
export type Closed = {
	readonly open: OpenPod;
	readonly keeper: DraftSlot;
	/** The signal or bug that ended the program. Absent if the user quit. */
	readonly exit: Exit | undefined;
	/** The screen to switch to. Absent when the chat is over. */
	readonly next?: NextScreen;
	readonly transcript: TranscriptStore | undefined;
	/** Whether the server has taken the session over. */
	readonly isDetached?: true;
	/** The reason why the session could not be opened here or by the server. */
	readonly failure?: string;
};

/** The reason why a pod could not be opened. `left`: the user quit before the pod was open. */
export type Unopened = {readonly sentence: string} | {readonly left: true; readonly exit: Exit | undefined};

/** The values that all screens of a chat share. */
type Chat = {
	readonly launch: ChatLaunch;
	readonly io: ChatIo;
	readonly exitSignals: ExitSignals;
	/** Returns the text that is printed when a second signal ends the program immediately. */
	readonly farewell: (open: OpenPod) => string;
};

/** `before`: the last closed screen. Its draft moves to the next screen. */
type Before = Pick<Closed, 'open' | 'keeper'>;

/** Shows one session until its screen is closed. */
export async function showSession(
	session: SessionScreen,
	before: Before | undefined,
	chat: Chat,
): Promise<Closed | Unopened> {
	const {exitSignals, io} = chat;
	const {plan} = session;
	let {open} = session;
	let next: NextScreen | undefined;
	const storedDir = open?.session.dir ?? storedDirOf(plan);
	let early: Promise<DraftStore> | undefined;
	const openEarly = async () => (early ??= loadEarlyDrafts(io.env, plan.scope.pwd, storedDir));
	const keeper = createDraftSlot(openEarly);
	const kind = kindOf(session, chat);
	const firstRow = kind === 'full' ? '' : freeRow;
	if (open === undefined && plan.session.kind === 'stored') {
		const id = basename(plan.session.dir);
		exitSignals.setLastWords(() => `${firstRow}${unopenedHint(id, chat)}\n`);
	}
	const screen = openScreen({
		...screenOptions(session, keeper, kind, chat),
		vim: await loadVim(plan.screen),
		view: await loadView(kind, chatViews, {env: io.env, scrollRegions: plan.screen.scrollRegions}),
		preload: createPreload(plan.model.spec, async () => open?.session.prepare?.()),
		async exportSession(file) {
			if (open === undefined || open.remote !== undefined) return {ok: false, sentence: notExportable};
			const {exportFromChat} = await import('../records.ts');
			return exportFromChat(file, {id: open.session.id, env: io.env, cwd: plan.scope.pwd});
		},
		async onSwitch(to) {
			const {prepareSwitch} = await import('./switch-session.ts');
			return prepareSwitch(to, {...chat, screen: session, open: open!}, chosen => {
				next = chosen;
				screen.close(chosen.kind !== 'detach');
			});
		},
	});
	const closed = exitSignals.watch(screen);
	const opened: Opened =
		open === undefined ? await openFirstPod(plan, screen, chat, openEarly) : {ok: true, open, warnings: []};
	if (!opened.ok) {
		const isLeft = screen.leaving.aborted;
		screen.close();
		const exit = await closed;
		return isLeft ? {left: true, exit} : opened;
	}
	({open} = opened);
	const current = open;
	exitSignals.setLastWords(() => firstRow + chat.farewell(current));
	const drafts = await bindDrafts(keeper, open, before, session, io);
	const notice = session.notice ?? opened.notice;
	if (notice !== undefined) screen.inform(notice);
	for (const warning of [...session.warnings, ...opened.warnings, ...drafts]) screen.warn(warning);
	await connect(session, open, before, screen);
	void listen(open, screen);
	void learn(session, screen, closed, io);
	void warnOfShadowed(open, screen);
	void retireOld(plan, open, screen, io);
	const exit = await closed;
	const transcript = screen.transcript();
	return {open, keeper, exit, transcript, ...(exit === undefined && next !== undefined && {next})};
}

/** Connects the screen to the pod. At the start of a chat, the screen also shows the child that the user requested. */
async function connect(
	{plan: {session}, prompt, found}: SessionScreen,
	{pod}: OpenPod,
	before: Before | undefined,
	screen: Pick<Screen, 'connect' | 'showChild' | 'showFound'>,
): Promise<void> {
	await screen.connect(pod, prompt);
	if (found !== undefined) screen.showFound(found);
	if (before === undefined && session.kind === 'stored' && session.child !== undefined)
		screen.showChild(session.child);
}

/** Returns a hint about how to resume a session whose pod is not open yet. */
export function unopenedHint(id: string, {launch: {attach}, io: {env}}: Pick<Chat, 'launch' | 'io'>): string {
	const command = ownCommand({env});
	return attach === undefined ? resumeHint(id, command) : attachHint(id, command);
}

/**
Opens the first pod after the first frame. The pod is loaded chunk by chunk, and keys are read between two chunks.
*/
async function openFirstPod(
	plan: Plan,
	screen: Screen,
	{launch, io: {env}}: Chat,
	openEarly: () => Promise<unknown>,
): Promise<Opened> {
	await openEarly();
	if (plan.session.kind === 'stored') {
		await loadChunks(startChunks.session);
		const {showSessionTail} = await import('./show-session-tail.ts');
		await nextTurn();
		await showSessionTail(plan, screen);
	}
	for (const chunks of [startChunks.pod, startChunks.session]) await loadChunks(chunks);
	void markTerminal(env);
	const {openPlanned} = await loadOpenPlanned();
	await nextTurn();
	return openPlanned(plan, launch, env, screen.leaving);
}

async function loadEarlyDrafts(...place: Parameters<typeof openEarlyDrafts>): Promise<DraftStore> {
	await loadChunks(startChunks.first);
	return openEarlyDrafts(...place);
}

async function listen(open: OpenPod, screen: Pick<Screen, 'warn'>): Promise<void> {
	await loadChunks(startChunks.attach);
	const warning = await open.listen();
	if (warning !== undefined) screen.warn(warning);
}

/**
Moves sessions that were not used for a long time to the trash, if the user has configured this. Reports the moved
sessions.
*/
async function retireOld(
	{keepDays: days}: Plan,
	{session}: OpenPod,
	screen: Pick<Screen, 'inform'>,
	{env}: ChatIo,
): Promise<void> {
	if (days === undefined) return;
	const {retireSessions} = await import('../../pod/index.ts');
	const moved = await retireSessions(env, {days, kept: session.dir});
	if (moved > 0) screen.inform(movedOld(moved, days));
}

/** Finds the data of the first screen after the first frame. */
async function learn(
	{plan, prompt}: SessionScreen,
	screen: Pick<Screen, 'learn'>,
	closed: Promise<unknown>,
	{env}: ChatIo,
): Promise<void> {
	if (plan.session.kind !== 'new' || prompt !== '') return;
	await loadChunks(startChunks.learn);
	const {learnFirstScreen} = await import('./learn-first-screen.ts');
	await nextTurn();
	const over = new AbortController();
	const abort = () => over.abort();
	void closed.then(abort, abort);
	await learnFirstScreen(plan, env, over.signal, screen.learn);
}

/**
Warns about workflows that a slash command with the same name hides. If the session ends before the pod answers, there
are no warnings.
*/
async function warnOfShadowed({pod}: OpenPod, screen: Pick<Screen, 'warn'>): Promise<void> {
	const workflows = await pod.workflows().catch(() => []);
	for (const sentence of shadowedSentences(workflows)) screen.warn(sentence);
}

/** Returns the folder of the session that the plan opens, unless the session is new. */
function storedDirOf({session}: Plan): string | undefined {
	return session.kind === 'new' || session.fork !== undefined ? undefined : session.dir;
}

/** Connects the screen to the store of its drafts. Returns the warnings. */
async function bindDrafts(
	keeper: DraftSlot,
	{session, parent, isAttached}: OpenPod,
	before: Before | undefined,
	{plan}: SessionScreen,
	{env}: ChatIo,
): Promise<readonly string[]> {
	const isSame = before?.open.session.dir === session.dir;
	const isBeside = isAttached();
	// A parent and its children keep their own drafts. Every other session gets the draft of the previous session.
	const isFamily = parent !== undefined || before?.open.parent !== undefined;
	const isNew = plan.session.kind === 'new' && !isSame && !isFamily;
	const {found, ...drafts} = await openDrafts(env, {dir: session.dir, isBeside, isNew});
	// If the same session saved this draft, the draft is already on the screen.
	await keeper.bind(
		found === undefined || isSame ? drafts : {...drafts, found: isFamily ? {...found, isOwn: true} : found},
	);
	if ((!isSame || isBeside) && !isFamily) before?.keeper.forget();
	return drafts.warnings;
}

export function kindOf({plan}: SessionScreen, {launch, io: {env}}: Pick<Chat, 'launch' | 'io'>): ViewKind {
	const {inline, screenReader} = launch;
	return viewKind({env, inline, screenReader, configured: plan.screen.reader});
}

type ScreenOptions = Parameters<typeof openScreen>[0];

export function screenOptions(
	{plan, draft}: SessionScreen,
	keeper: DraftSlot,
	kind: ViewKind,
	{launch, io}: Pick<Chat, 'launch' | 'io'>,
): Omit<ScreenOptions, 'view' | 'onSwitch' | 'exportSession' | 'preload'> {
	const {env, version, stdin, stdout} = io;
	const isFull = kind === 'full';
	const theme = detectTheme(env, {
		...plan.screen,
		choice: themeNamed(plan.screen.theme ?? 'auto', plan.screen.themes),
	});
	const home = homeOf(env);
	// This module is loaded late, because it reads the pod's lists of keys, which the first frame does not need.
	const programs = async () => loadPrograms(env, plan.scope.pwd, plan.keyNames);
	return {
		stdin,
		stdout,
		session: {id: '', model: plan.model.name, access: plan.model.access, scope: plan.scope},
		home,
		inline: !isFull,
		hasProgress: hasProgress(env),
		assumedGround: assumedGround(env),
		statusParts: plan.screen.status,
		isUnsaved: io.isUnsaved === true,
		isStill: isStill({env, configured: plan.screen.reducedMotion}),
		mouse: launch.noMouse !== true && isFull && plan.screen.mouse,
		isSpoken: kind === 'spoken',
		notifications: {
			bell: plan.screen.bell,
			title: plan.screen.title,
			term: env['TERM'],
			desktop: plan.screen.notify ? desktopCode(env) : undefined,
		},
		...welcome(plan, version),
		theme,
		themes: themesOf(plan, theme, env),
		settings: {
			async list() {
				const {settingsOfChat} = await import('../settings/settings.ts');
				return settingsOfChat(launch, env, launch.attach !== undefined);
			},
			async save(path, typed) {
				const {saveSettingOfChat} = await import('../settings/settings.ts');
				return saveSettingOfChat(env, path, typed);
			},
		},
		// An inline screen may begin at any row of the terminal, so a mouse position has no meaning there.
		keymap: createKeymap(isFull ? plan.keys : {...plan.keys, mouse: []}).keymap,
		drafts: keeper,
		programs,
		draft,
		async copy(text) {
			const {copyText} = await import('../../screen/terminal/clipboard/clipboard.ts');
			const write = (request: string) => stdout.write(request);
			return copyText(text, {programs: await programs(), write});
		},
		async clipboardText() {
			const {readClipboardText} = await import('../../screen/terminal/clipboard/clipboard-text.ts');
			return readClipboardText({programs: await programs()});
		},
		async clipboardImage() {
			const {readClipboardImage} = await import('../../screen/terminal/clipboard/clipboard-image.ts');
			return readClipboardImage({programs: await programs()});
		},
	};
}

/**
The themes of this terminal. The choice is saved in the configuration of the terminal's user, even if the terminal is
attached.
*/
function themesOf(
	{screen: {theme: current = 'auto', themes = {}}}: Plan,
	{level}: Theme,
	env: ChatIo['env'],
): ThemeService {
	return {
		list: [...themeNames, ...Object.keys(themes)].flatMap(name => {
			const theme = themeNamed(name, themes);
			return theme === undefined ? [] : [{name, theme}];
		}),
		current,
		hasFewColours: level < 2,
		async save(name) {
			const {saveSetting} = await import('../settings/settings.ts');
			return saveSetting(env, ['screen', 'theme'], name);
		},
	};
}

/**
The bytes that move the cursor to a free row. The rows of an inline screen stay, and restoring the terminal may have
moved the cursor.
*/
const freeRow = '\x1b[999B\r\n';
