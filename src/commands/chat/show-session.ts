import {basename} from 'node:path';
import type {ChatLaunch} from '../../args.ts';
import {
	homeOf,
	loadOpenPlanned,
	loadPrograms,
	openDrafts,
	type Opened,
	type OpenPod,
	type Plan,
} from '../../pod/first-frame.ts';
import {shadowedSentences} from '../../tui/commands/shadowed.ts';
import {createKeymap} from '../../tui/keymap.ts';
import {openScreen, type Screen} from '../../tui/screen/open-screen.ts';
import {createDraftSlot, type DraftSlot} from '../../tui/state/drafts/draft-store.ts';
import {detectTheme} from '../../tui/text/theme.ts';
import type {TranscriptStore} from '../../tui/transcript/store.ts';
import {podChunks} from '../start/chunks.ts';
import {limitYoungGeneration} from '../start/gc-flags.ts';
import {createPreload} from '../start/preload.ts';
import type {ChatIo} from './chat-io.ts';
import type {Exit, ExitSignals} from './exit-signals.ts';
import {chatViews, loadView, viewKind, type ViewKind} from './load-view.ts';
import {markTerminal} from './restore-terminal.ts';
import {attachHint, resumeHint} from './texts.ts';
import type {NextScreen, SessionScreen} from './session-screen.ts';
import {welcome} from './welcome.ts';

/** A screen that was closed. */
export type Closed = {
	readonly open: OpenPod;
	readonly keeper: DraftSlot;
	/** What ended the program, if it was not you. */
	readonly exit: Exit | undefined;
	/** The screen that you switch to; absent when the chat is over. */
	readonly next?: NextScreen;
	readonly transcript: TranscriptStore | undefined;
};

/** What all screens of a chat share. */
export type Chat = {
	readonly launch: ChatLaunch;
	readonly io: ChatIo;
	readonly exitSignals: ExitSignals;
	/** Printed when a second signal ends the program at once. */
	readonly farewell: (open: OpenPod) => string;
};

/** `before`: the screen that was closed last; its draft moves on. */
type Before = Pick<Closed, 'open' | 'keeper'>;

/** Shows one session until its screen is closed. Resolves with a sentence when its pod cannot be opened. */
export async function showSession(
	session: SessionScreen,
	before: Before | undefined,
	chat: Chat,
): Promise<Closed | {readonly sentence: string}> {
	const {exitSignals, io} = chat;
	const {plan} = session;
	let {open} = session;
	let next: NextScreen | undefined;
	const keeper = createDraftSlot();
	const kind = kindOf(session, chat);
	const firstRow = kind === 'full' ? '' : freeRow;
	if (open === undefined && plan.session.kind === 'stored') {
		const id = basename(plan.session.dir);
		const hint = chat.launch.attach === undefined ? resumeHint(id) : attachHint(id);
		exitSignals.setLastWords(() => `${firstRow}${hint}\n`);
	}
	const screen = openScreen({
		...screenOptions(session, keeper, kind, chat),
		view: await loadView(kind, chatViews, {env: io.env, scrollRegions: plan.screen.scrollRegions}),
		async onSwitch(to) {
			const {prepareSwitch} = await import('./switch-session.ts');
			return prepareSwitch(to, {...chat, screen: session, open: open!}, chosen => {
				next = chosen;
				screen.close();
			});
		},
	});
	const closed = exitSignals.watch(screen);
	const opened: Opened = open === undefined ? await openFirstPod(plan, screen, chat) : {ok: true, open, warnings: []};
	if (!opened.ok) {
		screen.close();
		await closed;
		return opened;
	}
	({open} = opened);
	const current = open;
	exitSignals.setLastWords(() => firstRow + chat.farewell(current));
	const drafts = await bindDrafts(keeper, open, before, session, io);
	for (const warning of [...session.warnings, ...opened.warnings, ...drafts]) screen.warn(warning);
	await screen.connect(open.pod, session.prompt);
	void listen(open, screen);
	void warnOfShadowed(open, screen);
	const exit = await closed;
	const transcript = screen.transcript();
	return {open, keeper, exit, transcript, ...(exit === undefined && next !== undefined && {next})};
}

/** Opens the first pod after the first frame, chunk by chunk, so that keys are read in between. */
async function openFirstPod(plan: Plan, screen: Screen, {launch, io: {env}}: Chat): Promise<Opened> {
	if (plan.session.kind === 'stored') {
		await yieldToInput();
		const {showSessionTail} = await import('./show-session-tail.ts');
		await yieldToInput();
		await showSessionTail(plan, screen);
	}
	for (const chunk of podChunks) {
		await yieldToInput();
		await import(`./${chunk}`);
	}
	await yieldToInput();
	void markTerminal(env);
	const {openPlanned} = await loadOpenPlanned();
	await yieldToInput();
	if (launch.attach === undefined) await limitYoungGeneration(plan);
	return openPlanned(plan, launch, env);
}

/** Lets keys that were pressed meanwhile be read and shown. */
async function yieldToInput(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}

async function listen(open: OpenPod, screen: Pick<Screen, 'warn'>): Promise<void> {
	const warning = await open.listen();
	if (warning !== undefined) screen.warn(warning);
}

/** A session that ends before it answers has no warnings. */
async function warnOfShadowed({pod}: OpenPod, screen: Pick<Screen, 'warn'>): Promise<void> {
	const workflows = await pod.workflows().catch(() => []);
	for (const sentence of shadowedSentences(workflows)) screen.warn(sentence);
}

/** Tells the screen where its drafts are saved. Returns the warnings. */
async function bindDrafts(
	keeper: DraftSlot,
	{session, isAttached}: OpenPod,
	before: Before | undefined,
	{plan}: SessionScreen,
	{env}: ChatIo,
): Promise<readonly string[]> {
	const isSame = before?.open.session.dir === session.dir;
	const isBeside = isAttached();
	if (!isSame || isBeside) before?.keeper.forget();
	const isNew = plan.session.kind === 'new' && !isSame;
	const {found, ...drafts} = await openDrafts(env, {dir: session.dir, isBeside, isNew});
	// The draft that the same session had saved is on the screen already.
	keeper.bind(found === undefined || isSame ? drafts : {...drafts, found});
	return drafts.warnings;
}

function kindOf({plan}: SessionScreen, {launch, io: {env}}: Chat): ViewKind {
	const {inline, screenReader} = launch;
	return viewKind({env, inline, screenReader, configured: plan.screen.reader});
}

type ScreenOptions = Parameters<typeof openScreen>[0];

function screenOptions(
	{plan, draft}: SessionScreen,
	keeper: DraftSlot,
	kind: ViewKind,
	{launch, io}: Chat,
): Omit<ScreenOptions, 'view' | 'onSwitch'> {
	const {env, version, stdin, stdout} = io;
	const isFull = kind === 'full';
	const home = homeOf(env);
	// Loaded late: it reads the pod's lists of keys, which the first frame does not need.
	const programs = async () => loadPrograms(env, plan.scope.pwd, plan.keyNames);
	return {
		stdin,
		stdout,
		session: {id: '', model: plan.model.name, scope: plan.scope},
		home,
		inline: !isFull,
		mouse: launch.noMouse !== true && isFull && plan.screen.mouse,
		isSpoken: kind === 'spoken',
		notifications: {bell: plan.screen.bell, title: plan.screen.title, term: env['TERM']},
		welcome: welcome(plan, home, version),
		theme: detectTheme(env),
		// An inline screen may begin at any row of the terminal, so a mouse position has no meaning there.
		keymap: createKeymap(isFull ? plan.keys : {...plan.keys, mouse: []}).keymap,
		drafts: keeper,
		programs,
		draft,
		preload: createPreload(plan.model.spec),
		async copy(text) {
			const {copyText} = await import('../../tui/terminal/clipboard.ts');
			const write = (request: string) => stdout.write(request);
			return copyText(text, {platform: process.platform, programs: await programs(), write});
		},
	};
}

/** Leaves a free row: an inline screen's rows stay, and restoring the terminal may have moved the cursor. */
const freeRow = '\x1b[999B\r\n';
