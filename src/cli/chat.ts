import type {ChatLaunch} from './start/launch.ts';
import {existsSync} from 'node:fs';
import {basename} from 'node:path';
import {
	findLive,
	findProject,
	historyFile,
	loadConfig,
	planStart,
	type OpenPod,
	type Plan,
	type Planned,
} from '../pod/first-frame.ts';
import {themeNamed} from '../pod/protocol.ts';
import {createKeymap, problemSentence} from '../screen/model/keys/keymap.ts';
import type {FoundText} from '../screen/model/search/search-state.ts';
import {isDumb, plainStdout} from '../screen/terminal/ink-stdout.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {ChatIo} from './chat/session-screen.ts';
import {dumpTranscript} from './chat/dump.ts';
import {createExitSignals, type Exit, type ExitSignals} from './chat/exit-signals.ts';
import {viewKind} from './chat/load-view.ts';
import {restoreTerminal} from './chat/exit-signals.ts';
import type {SessionScreen} from './chat/session-screen.ts';
import {showSession, unopenedHint, type Closed, type Unopened} from './chat/show-session.ts';
import {shutDown} from './chat/exit-signals.ts';
import {unsavedHome} from './chat/unsaved-home.ts';
import {attachHint, detachedHint, keyProblem, needsTerminal, resumeHint} from './chat/texts.ts';
import {flush} from './output/flush.ts';
import {ownCommand} from './start/own-command.ts';

export {replay} from './chat/show-replay.ts';

/**
Runs the full-screen chat, one session after another, until the user quits. Resolves with the exit code after the
terminal is restored.
*/
export async function chat(launch: ChatLaunch, given: ChatIo): Promise<number> {
	const {env, stdin, stdout} = given;
	const isNew = launch.session.kind === 'new' && launch.attach === undefined;
	const unsaved = isNew ? await unsavedHome(env) : undefined;
	const io: ChatIo = {
		...given,
		...(isDumb(env) && {stdout: plainStdout(stdout)}),
		...(unsaved && {env: unsaved.env, isUnsaved: true}),
	};
	if (!stdin.isTTY || !stdout.isTTY) return refuse(needsTerminal, io);
	await restoreTerminal(env);
	if (launch.attach?.remote !== undefined) return chatRemotely(launch, io);
	const picked = await pick(launch, io);
	if ('code' in picked) {
		if (picked.sentence !== undefined) print(picked.sentence, io);
		return picked.code;
	}
	const planned = await planPicked(launch, io, picked);
	if (!planned.ok) return refuse(planned.sentence, io);
	const {plan} = planned;
	const warnings = [...(unsaved ? [unsaved.warning] : []), ...plan.warnings, ...keyProblems(plan)];
	return showFrom({plan, prompt: launch.prompt, draft: [], warnings, found: picked.found}, launch, io);
}

/** Shows a session of another machine. */
async function chatRemotely(launch: ChatLaunch, io: ChatIo): Promise<number> {
	const {remoteScreen} = await import('./attach/remote.ts');
	const connected = await remoteScreen(launch, io);
	if (!connected.ok) return refuse(connected.sentence, io);
	return showFrom(connected.screen, launch, io);
}

/** Shows a screen, and all screens to which the user switches. Resolves with the exit code. */
async function showFrom(first: SessionScreen, launch: ChatLaunch, io: ChatIo): Promise<number> {
	const {plan} = first;
	const {stdout} = io;
	const exitSignals = createExitSignals();
	const closed = await showAll(first, launch, io, exitSignals);
	// The screen is closed first, so that it does not hide the text on stderr.
	await flush(stdout);
	if ('sentence' in closed) return refuse(closed.sentence, io);
	if ('left' in closed) {
		exitSignals.setLastWords(undefined);
		if (plan.session.kind !== 'new') stdout.write(`${unopenedHint(basename(plan.session.dir), {launch, io})}\n`);
		return closed.exit?.code ?? 0;
	}
	const isDumped = launch.dump === true || plan.screen.dump;
	await printAfterScreen(closed, isDumped, io);
	exitSignals.setLastWords(undefined);
	if (closed.failure !== undefined) print(closed.failure, io);
	const {id} = closed.open.session;
	const detached = () => `${detachedHint(id, ownCommand({env: io.env}))}\n`;
	stdout.write(closed.isDetached === true ? detached() : farewellOf(io)(closed.open));
	return closed.exit?.code ?? (closed.failure === undefined ? 0 : 1);
}

function refuse(sentence: string, io: ChatIo): number {
	print(sentence, io);
	return 2;
}

function print(sentence: string, {stderr}: ChatIo): void {
	stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
}

function keyProblems({keys}: Plan): readonly string[] {
	return createKeymap(keys).problems.map(problem => keyProblem(problemSentence(problem)));
}

/** Shows one session, and then each session to which the user switches. */
async function showAll(
	first: SessionScreen,
	launch: ChatLaunch,
	io: ChatIo,
	exitSignals: ExitSignals,
): Promise<Closed | Unopened> {
	let before: Closed | undefined;
	for (let screen = first; ;) {
		const closed = await showSession(screen, before, {launch, io, exitSignals, farewell: farewellOf(io)});
		if ('sentence' in closed || 'left' in closed || closed.next === undefined) return closed;
		before = closed;
		const {follow} = await import('./chat/switch-session.ts');
		const followed = await follow(closed.next, {launch, io, screen, open: closed.open});
		if ('detached' in followed) return {...closed, isDetached: true};
		if ('failed' in followed) return {...closed, failure: followed.failed};
		const exit: Exit | undefined = 'end' in followed ? {code: followed.end} : exitSignals.current();
		if (exit !== undefined) {
			const open = 'next' in followed && followed.next.open !== undefined ? followed.next.open : closed.open;
			await shutDown(open.pod);
			return {...closed, open, exit};
		}
		if ('next' in followed) screen = followed.next;
	}
}

/** Prints errors and the transcript on the main screen. */
async function printAfterScreen(
	{open, keeper, exit, transcript}: Closed,
	isDumped: boolean,
	io: ChatIo,
): Promise<void> {
	const lost = keeper.lost();
	if (lost !== undefined) print(lost, io);
	if (exit?.error !== undefined) await reportError(exit.error, open, io);
	else if (transcript !== undefined && isDumped) io.stdout.write(dumpTranscript(transcript, io.stdout.columns || 80));
}

async function reportError(error: Error, {pod}: OpenPod, io: ChatIo): Promise<void> {
	const [{unexpectedErrorText}, {emergencyShutdown}] = await Promise.all([
		import('./output/unexpected-error.ts'),
		import('./chat/emergency-shutdown.ts'),
	]);
	const ended = sanitizeLine(await emergencyShutdown(pod));
	const words = [...(io.isUnsaved === true ? [] : [ended]), unexpectedErrorText(error, io.env)];
	io.stderr.write(`inkpod: ${words.join(' ')}\n`);
}

type Picked = Chosen | {readonly code: number; readonly sentence?: string};

type Chosen = {readonly picked?: string; readonly child?: string | undefined; readonly found?: FoundText};

/**
Returns the folder of the running session to which the chat attaches, or of the session that the user chooses from the
list. Returns nothing if the arguments name another session.
*/
async function pick(launch: ChatLaunch, io: ChatIo): Promise<Picked> {
	if (launch.attach !== undefined) {
		const found = await findLive(launch, io.env);
		return found.ok ? {picked: found.dir, child: found.child} : {code: 2, sentence: found.sentence};
	}
	return launch.session.kind === 'pick' ? pickFromList(launch, io) : {};
}

async function pickFromList(launch: ChatLaunch, {env, stdin, stdout}: ChatIo): Promise<Picked> {
	const project = await findProject(launch, env);
	if (!project.ok) return {code: 2, sentence: project.sentence};
	const config = await loadConfig(env);
	if (!config.ok) return {code: 2, sentence: config.sentence};
	const {reader, scrollRegions, glyphs, links, theme = 'auto', themes} = config.config.screen;
	const kind = viewKind({env, inline: launch.inline, screenReader: launch.screenReader, configured: reader});
	const {pickSession} = await import('./chat/pick-session.ts');
	const {pwd} = project.manifest;
	const look = {scrollRegions, glyphs, links, theme: themeNamed(theme, themes)};
	const choice = await pickSession({env, cwd: pwd, stdin, stdout, kind, ...look});
	if ('picked' in choice) return choice;
	return {code: choice.none, sentence: choice.sentence};
}

async function planPicked(launch: ChatLaunch, {env}: ChatIo, {picked, child}: Chosen): Promise<Planned> {
	return picked === undefined
		? planStart(launch, env, {showsChildren: true})
		: planStart({...launch, session: {kind: 'pick'}}, env, {picked, child});
}

/**
Returns the function that returns the last sentence of a chat. A chat that is not saved cannot be resumed, so its
sentence is empty.
*/
function farewellOf({isUnsaved = false, env}: ChatIo): (open: OpenPod) => string {
	return isUnsaved ? () => '' : open => farewell(open, ownCommand({env}));
}

/** Returns the sentence about how to resume the session. It is empty if nothing is saved. */
function farewell({parent, ...open}: OpenPod, command: string): string {
	if (parent !== undefined) return farewell(parent, command);
	const {
		session: {id, dir},
		remote,
		isAttached,
	} = open;
	if (isAttached()) return `${attachHint(remote === undefined ? id : `${remote}:${id}`, command)}\n`;
	return existsSync(historyFile(dir)) ? `${resumeHint(id, command)}\n` : '';
}
