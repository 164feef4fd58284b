import {existsSync} from 'node:fs';
import {loadConfig} from '../pod/config/config.ts';
import {homeOf} from '../pod/env/env.ts';
import {historyFile} from '../pod/session/paths.ts';
import {createDraftKeeper, type DraftKeeper} from '../tui/state/drafts/draft-store.ts';
import {openScreen, type Screen} from '../tui/screen/open-screen.ts';
import {eclipsedSentences} from '../tui/commands/eclipsed.ts';
import {createKeymap, problemSentence} from '../tui/keymap.ts';
import {sanitizeLine} from '../tui/text/sanitize.ts';
import {detectTheme} from '../tui/text/theme.ts';
import type {TranscriptStore} from '../tui/transcript/store.ts';
import type {ChatIo} from './chat-io.ts';
import {flushed} from './flushed.ts';
import {dumpTranscript} from './dump.ts';
import {createEndings, type Ending, type Endings} from './endings.ts';
import {markTerminal, tidyTerminal} from './left-terminal.ts';
import type {Opened} from './open-planned.ts';
import type {ChatLaunch} from './own-pod.ts';
import {chatViews, viewFor, viewKind, type ViewKind} from './view-for.ts';
import {pieces} from './pieces.ts';
import {planStart, type Plan} from './plan.ts';
import {createPreload} from './preload.ts';
import {projectOf} from './project-of.ts';
import type {OpenPod, Visit, Way} from './visit.ts';
import {welcome} from './welcome.ts';

/**
The full-screen chat, one session after another, until the person leaves it. Resolves with the exit code; the terminal
is as it was found.
*/
export async function chat(launch: ChatLaunch, io: ChatIo): Promise<number> {
	const {env, stdin, stdout, stderr} = io;
	const say = (sentence: string) => stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	if (!stdin.isTTY || !stdout.isTTY) {
		say('The chat needs a terminal for its input and output; inkpod -p works without one.');
		return 2;
	}
	await tidyTerminal(env);
	const picked: Picked = await pick(launch, io);
	if ('code' in picked) {
		if (picked.sentence !== undefined) say(picked.sentence);
		return picked.code;
	}
	const planned = await planStart(
		picked.picked === undefined ? launch : {...launch, session: {kind: 'pick'}},
		env,
		picked,
	);
	if (!planned.ok) {
		say(planned.sentence);
		return 2;
	}
	const {plan} = planned;
	const keys = createKeymap(plan.keys).problems.map(problem => `config.toml, [keys]: ${problemSentence(problem)}`);
	const endings = createEndings();
	const first = {plan, prompt: launch.prompt, draft: [], warnings: [...plan.warnings, ...keys]};
	const left = await visitAll(first, launch, io, endings);
	// What is said on stderr comes after the screen is gone.
	await flushed(stdout);
	if ('sentence' in left) {
		say(left.sentence);
		return 2;
	}
	const {ending, keeper, open} = left;
	const lost = keeper.lost();
	if (lost !== undefined) say(lost);
	if (ending?.error !== undefined) await tellBug(ending.error, open, io);
	if (
		left.transcript !== undefined &&
		ending?.error === undefined &&
		(launch.dump === true || planned.plan.screen.dump)
	) {
		stdout.write(dumpTranscript(left.transcript, stdout.columns || 80));
	}
	endings.setLastWords(undefined);
	stdout.write(farewell(open));
	return ending?.code ?? 0;
}

/** How a screen was left: for another session, for good, or before it had a pod. */
type Left =
	| {
			readonly open: OpenPod;
			readonly keeper: DraftKeeper;
			readonly ending: Ending | undefined;
			readonly way?: Way;
			readonly transcript: TranscriptStore | undefined;
	  }
	| {readonly sentence: string};

/** The session that was on the screen before, whose draft was taken along. */
type Before = {readonly open: OpenPod; readonly keeper: DraftKeeper};

/** Shows one session after another, for as long as the person goes from one to the next. */
async function visitAll(first: Visit, launch: ChatLaunch, io: ChatIo, endings: Endings): Promise<Left> {
	let before: Before | undefined;
	for (let visit = first; ;) {
		const left = await show(visit, before, launch, io, endings);
		if ('sentence' in left || left.way === undefined) return left;
		before = left;
		const {follow, shutDown} = await import('./switch-session.ts');
		const followed = await follow(left.way, {launch, io, visit, open: left.open});
		const ending = 'end' in followed ? {code: followed.end} : endings.came();
		if (ending !== undefined) {
			const open = 'next' in followed && followed.next.open !== undefined ? followed.next.open : left.open;
			await shutDown(open.pod);
			return {open, keeper: left.keeper, ending, transcript: left.transcript};
		}
		if ('next' in followed) visit = followed.next;
	}
}

/** Shows one session until its screen is left. */
async function show(
	visit: Visit,
	before: Before | undefined,
	launch: ChatLaunch,
	io: ChatIo,
	endings: Endings,
): Promise<Left> {
	const {plan} = visit;
	let {open} = visit;
	let way: Way | undefined;
	const keeper = createDraftKeeper();
	const kind = kindOf(visit, launch, io);
	const view = await viewFor(kind, chatViews, {env: io.env, scrollRegions: plan.screen.scrollRegions});
	const screen = openScreen({
		...screenOptions(visit, keeper, launch, io),
		view,
		inline: kind !== 'full',
		async onSwitch(to) {
			const {prepareSwitch} = await import('./switch-session.ts');
			return prepareSwitch(to, {launch, io, visit, open: open!}, chosen => {
				way = chosen;
				screen.close();
			});
		},
	});
	const gone = endings.watch(screen);
	const opened =
		open === undefined ? await openBehind(plan, screen, launch, io) : {ok: true as const, open, warnings: []};
	if (!opened.ok) {
		screen.close();
		await gone;
		return opened;
	}
	({open} = opened);
	const current = open;
	endings.setLastWords(() => (kind === 'full' ? '' : belowScreen) + farewell(current));
	const drafts = await bindDrafts(keeper, open, before, visit, io);
	for (const warning of [...visit.warnings, ...opened.warnings, ...drafts]) screen.tell(warning);
	await screen.connect(open.pod, visit.prompt);
	void open.listen().then(warning => {
		if (warning !== undefined) screen.tell(warning);
	});
	void tellEclipsed(open, screen);
	const ending = await gone;
	return {
		open,
		keeper,
		ending,
		transcript: screen.transcript(),
		...(ending === undefined && way !== undefined && {way}),
	};
}

/** A session that ends before it answers has nothing to tell. */
async function tellEclipsed({pod}: OpenPod, screen: Pick<Screen, 'tell'>): Promise<void> {
	const workflows = await pod.workflows().catch(() => []);
	for (const sentence of eclipsedSentences(workflows)) screen.tell(sentence);
}

/** Gives the screen the place where its session's drafts are kept. Answers what the person is to be told. */
async function bindDrafts(
	keeper: DraftKeeper,
	{session, isAttached}: OpenPod,
	before: Before | undefined,
	{plan}: Visit,
	{env}: ChatIo,
): Promise<readonly string[]> {
	const isSame = before?.open.session.dir === session.dir;
	const isBeside = isAttached();
	if (!isSame || isBeside) before?.keeper.forget();
	const {draftsRoot, openDrafts} = await import('../pod/session/drafts.ts');
	// The session's own draft is that of the terminal that has it.
	const dir = isBeside
		? await import('./attach.ts').then(({draftDirBeside}) => draftDirBeside(session.dir))
		: session.dir;
	const {found, ...drafts} = await openDrafts(draftsRoot(env), {
		dir,
		isNew: plan.session.kind === 'new' && !isSame && !isBeside,
	});
	// What the same session kept was taken along.
	keeper.bind(found === undefined || isSame ? drafts : {...drafts, found});
	return drafts.warnings;
}

function kindOf({plan}: Visit, {inline, screenReader}: ChatLaunch, {env}: ChatIo): ViewKind {
	return viewKind({env, inline, screenReader, configured: plan.screen.reader});
}

function screenOptions(
	visit: Visit,
	keeper: DraftKeeper,
	launch: ChatLaunch,
	io: ChatIo,
): Omit<Parameters<typeof openScreen>[0], 'view'> {
	const {plan, draft} = visit;
	const {env, version, stdin, stdout} = io;
	const kind = kindOf(visit, launch, io);
	const isFull = kind === 'full';
	const home = homeOf(env);
	// It reads the pod's lists of keys, which no first frame needs.
	const programs = async () => {
		const [{childEnv}, {findProgram}] = await Promise.all([
			import('../pod/env/child-env.ts'),
			import('../pod/processes/programs.ts'),
		]);
		const find = (name: string) => findProgram(name, env['PATH'], plan.scope.pwd);
		return {env: childEnv(env), find};
	};
	return {
		stdin,
		stdout,
		session: {id: '', model: plan.model.name, scope: plan.scope},
		home,
		mouse: launch.noMouse !== true && isFull && plan.screen.mouse,
		isSpoken: kind === 'spoken',
		attention: {bell: plan.screen.bell, title: plan.screen.title, term: env['TERM']},
		welcome: welcome(plan, home, version),
		theme: detectTheme(env),
		// Inline the screen may begin at any row of the terminal, and what a mouse points at is not known.
		keymap: createKeymap(isFull ? plan.keys : {...plan.keys, mouse: []}).keymap,
		drafts: keeper,
		programs,
		draft,
		preload: createPreload(plan.model.spec),
		async copy(text) {
			const {copyText} = await import('../tui/terminal/clipboard.ts');
			return copyText(text, {
				platform: process.platform,
				programs: await programs(),
				write: request => stdout.write(request),
			});
		},
	};
}

/** Opens the first pod behind the first frame. What is loaded for it comes in small pieces. */
async function openBehind(plan: Plan, screen: Screen, launch: ChatLaunch, {env}: ChatIo): Promise<Opened> {
	if (plan.session.kind === 'stored') {
		await breath();
		const {showEnding} = await import('./show-ending.ts');
		await breath();
		await showEnding(plan, screen);
	}
	for (const piece of pieces) {
		await breath();
		await import(`./${piece}`);
	}
	await breath();
	void markTerminal(env);
	const {openPlanned} = await import('./open-planned.ts');
	await breath();
	return openPlanned(plan, launch, env);
}

/** Lets keys that have been pressed meanwhile be heard and shown. */
async function breath(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}

type Picked = {readonly picked?: string} | {readonly code: number; readonly sentence?: string};

/**
The folder of the session that the person chooses, on a screen of its own, or that is open in another terminal; nothing
when the start says which one.
*/
async function pick(launch: ChatLaunch, {env, stdin, stdout}: ChatIo): Promise<Picked> {
	if (launch.attach !== undefined) {
		const {findLive} = await import('./attach.ts');
		const found = await findLive(launch, env);
		return found.ok ? {picked: found.dir} : {code: 2, sentence: found.sentence};
	}
	if (launch.session.kind !== 'pick') return {};
	const project = await projectOf(launch, env);
	if (!project.ok) return {code: 2, sentence: project.sentence};
	const config = await loadConfig(env);
	if (!config.ok) return {code: 2, sentence: config.sentence};
	const {reader, scrollRegions} = config.config.screen;
	const kind = viewKind({env, inline: launch.inline, screenReader: launch.screenReader, configured: reader});
	const {pickSession} = await import('./pick-session.ts');
	const choice = await pickSession({env, cwd: project.manifest.pwd, stdin, stdout, kind, scrollRegions});
	if ('picked' in choice) return choice;
	return {code: choice.none, ...(choice.sentence !== undefined && {sentence: choice.sentence})};
}

async function tellBug(error: Error, {pod}: OpenPod, {env, stderr}: ChatIo): Promise<void> {
	const [{bugSentence}, {rescue}] = await Promise.all([import('./bug.ts'), import('./rescue.ts')]);
	stderr.write(`inkpod: ${sanitizeLine(await rescue(pod))} ${bugSentence(error, env)}\n`);
}

/** How to come back, where there is something to come back to. */
function farewell({session: {id, dir}, isAttached}: OpenPod): string {
	if (isAttached())
		return `Session ${id} goes on in another terminal.\nAttach to it again with: inkpod attach ${id}\n`;
	return existsSync(historyFile(dir)) ? `Session ${id}. Resume it with: inkpod -r ${id}\n` : '';
}

/**
A row that is free: the rows of an inline screen stay, and what gives the terminal back may have moved the cursor.
*/
const belowScreen = '\x1b[999B\r\n';
