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
import type {NextScreen, SessionScreen} from './session-screen.ts';
import {welcome} from './welcome.ts';

/** The result of a screen that was closed. */
export type Closed = {
	readonly open: OpenPod;
	readonly keeper: DraftSlot;
	/** The cause that ended the program; absent if you quit. */
	readonly exit: Exit | undefined;
	/** The screen that you switch to; absent when the chat ends. */
	readonly next?: NextScreen;
	readonly transcript: TranscriptStore | undefined;
};

/** The parts that all screens of a chat share. */
export type Chat = {
	readonly launch: ChatLaunch;
	readonly io: ChatIo;
	readonly exitSignals: ExitSignals;
	/** Sets the text that is printed when a second signal ends the program at once. */
	readonly farewell: (open: OpenPod) => string;
};

/** `before`: the screen that was closed last. Its draft moves to this screen. */
type Before = Pick<Closed, 'open' | 'keeper'>;

/** Shows one session until its screen is closed. Resolves with a sentence when its pod cannot be opened. */
export async function showSession(
	session: SessionScreen,
	before: Before | undefined,
	chat: Chat,
): Promise<Closed | {readonly sentence: string}> {
	const {exitSignals, io} = chat;
	const {plan} = session;
	const ready = Promise.withResolvers<OpenPod>();
	let next: NextScreen | undefined;
	const keeper = createDraftSlot();
	const kind = kindOf(session, chat);
	const screen = openScreen({
		...screenOptions(session, keeper, kind, chat),
		view: await loadView(kind, chatViews, {env: io.env, scrollRegions: plan.screen.scrollRegions}),
		async onSwitch(to) {
			const {prepareSwitch} = await import('./switch-session.ts');
			return prepareSwitch(to, {...chat, screen: session, open: await ready.promise}, chosen => {
				next = chosen;
				screen.close();
			});
		},
	});
	const closed = exitSignals.watch(screen);
	const opened: Opened =
		session.open === undefined
			? await openFirstPod(plan, screen, chat)
			: {ok: true, open: session.open, warnings: []};
	if (!opened.ok) {
		screen.close();
		await closed;
		return opened;
	}
	const {open} = opened;
	ready.resolve(open);
	exitSignals.setLastWords(() => (kind === 'full' ? '' : freeRow) + chat.farewell(open));
	const drafts = await bindDrafts(keeper, open, before, session, io);
	for (const warning of [...session.warnings, ...opened.warnings, ...drafts]) screen.warn(warning);
	await screen.connect(open.pod, session.prompt);
	void listen(open, screen);
	void warnOfShadowed(open, screen);
	const exit = await closed;
	const transcript = screen.transcript();
	return {open, keeper, exit, transcript, ...(exit === undefined && next !== undefined && {next})};
}

/** Opens the first pod after the first frame, chunk by chunk, so that keys are handled in between. */
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

/** Lets the program read and show the keys that you pressed meanwhile. */
async function yieldToInput(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}

async function listen(open: OpenPod, screen: Pick<Screen, 'warn'>): Promise<void> {
	const warning = await open.listen();
	if (warning !== undefined) screen.warn(warning);
}

/** Resolves without warnings if the session ends before it answers. */
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
	// The screen already shows the draft that this session had saved.
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
	// Loaded late: the module reads the pod's lists of keys, which the first frame does not need.
	const programs = async () => loadPrograms(env, plan.scope.pwd);
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

/** Leaves a free row. The rows of an inline screen stay, and restoring the terminal may have moved the cursor. */
const freeRow = '\x1b[999B\r\n';
