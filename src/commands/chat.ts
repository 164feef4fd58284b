import {access} from 'node:fs/promises';
import type {Launch} from '../args.ts';
import {homeOf, type Env} from '../pod/home.ts';
import {historyFile} from '../pod/session/paths.ts';
import type {Session} from '../pod/session/session.ts';
import {openScreen, type Screen} from '../tui/open-screen.tsx';
import {createKeymap} from '../tui/keys.ts';
import {shortPath} from '../tui/status-line.tsx';
import {sanitizeLine} from '../tui/screen/sanitize.ts';
import type {Span} from '../tui/screen/row.ts';
import {currentTheme} from '../tui/theme.ts';
import {signalCodes} from './leave.ts';
import {planStart, type Plan} from './plan.ts';
import {projectOf} from './project-of.ts';

export type ChatIo = {readonly version: string; readonly env: Env; readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream; readonly stderr: {write(text: string): unknown}};

/** The full-screen chat, until the person leaves it. Resolves with the exit code; the terminal is as it was found. */
export async function chat(launch: Extract<Launch, {command: 'chat'}>, io: ChatIo): Promise<number> {
	const {env, stdin, stdout, stderr} = io;
	const say = (sentence: string) => stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	if (!stdin.isTTY || !stdout.isTTY) {
		say('The chat needs a terminal for its input and output; inkpod -p works without one.');
		return 2;
	}
	const picked: Picked = launch.session.kind === 'pick' ? await pick(launch, io) : {};
	if ('code' in picked) {
		if (picked.sentence !== undefined) say(picked.sentence);
		return picked.code;
	}
	const planned = await planStart(launch, env, picked);
	if (!planned.ok) {
		say(planned.sentence);
		return 2;
	}
	const {plan} = planned;
	const session = {id: '', model: plan.model.name, scope: plan.scope};
	const home = homeOf(env);
	const screen = openScreen({stdin, stdout, session, home, welcome: welcome(plan, home, io.version), theme: currentTheme(), keymap: createKeymap().keymap});
	const ends = endings(screen);
	await screen.shown;
	await breath();
	await import('../pod/protocol.ts');
	await breath();
	const {startPod} = await import('./start-pod.ts');
	await breath();
	const started = await startPod(plan, env, {attended: true});
	if (!started.ok) {
		screen.close();
		await ends.code;
		say(started.sentence);
		return 2;
	}
	for (const warning of [...plan.warnings, ...started.warnings]) screen.tell(warning);
	await screen.connect(started.pod, launch.prompt);
	const {code, error} = await ends.code;
	if (error !== undefined) await tellBug(error, io);
	if (await wasKept(started.session)) stdout.write(`Session ${started.session.id}. Resume it with: inkpod -r ${started.session.id}\n`);
	return code;
}

type Picked = {readonly picked?: string} | {readonly code: number; readonly sentence?: string};

/** The folder of the session that the person chooses, on a screen of its own. */
async function pick(launch: Extract<Launch, {command: 'chat'}>, {env, stdin, stdout}: ChatIo): Promise<Picked> {
	const project = await projectOf(launch);
	if (!project.ok) return {code: 2, sentence: project.sentence};
	const {pickSession} = await import('./pick-session.ts');
	const choice = await pickSession({env, cwd: project.manifest.pwd, stdin, stdout});
	if ('picked' in choice) return choice;
	return {code: choice.none, ...(choice.sentence !== undefined && {sentence: choice.sentence})};
}

/** Lets keys that have been pressed meanwhile be heard and shown: what is loaded behind the first frame comes in small pieces. */
async function breath(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}

/** What stands where the transcript will. */
function welcome({model, scope, session}: Plan, home: string, version: string): ReadonlyArray<readonly Span[]> {
	if (session.kind === 'stored') return [[], [{text: 'Opening the session …', style: 'dim'}]];
	const lines: ReadonlyArray<readonly Span[]> = [
		[],
		[{text: 'inkpod ', style: 'bold'}, {text: version, style: 'dim'}],
		[{text: 'The transcript is the context: the model sees what you see here, and nothing else.', style: 'dim'}],
		[],
		[{text: 'Type '}, {text: '@path', style: 'chip'}, {text: ' to attach a file, '}, {text: '@path:10-20', style: 'chip'}, {text: ' for some of its lines, '}, {text: '@dir/', style: 'chip'}, {text: ' for a directory.'}],
		[{text: 'It works in '}, {text: shortPath(scope.pwd, home, 60), style: 'path'}, {text: scope.writable ? '.' : ' (read-only).'}],
	];
	if (model.name !== 'offline') return lines;
	return [
		...lines,
		[],
		[{text: 'No model is connected.', style: 'warn'}, {text: ' The built-in offline guide answers: rules and real tools, no language model.'}],
		[{text: 'Connect one: set '}, {text: 'ANTHROPIC_API_KEY', style: 'code'}, {text: ', '}, {text: 'OPENAI_API_KEY', style: 'code'}, {text: ' or '}, {text: 'GEMINI_API_KEY', style: 'code'}, {text: ', or start with '}, {text: '--model ollama/<name>', style: 'code'}, {text: '.'}],
		[],
		[{text: 'Try: '}, {text: 'what files are here', style: 'user'}, {text: ', '}, {text: 'find TODO', style: 'user'}, {text: ', '}, {text: 'explain @README.md', style: 'user'}],
	];
}

async function tellBug(error: Error, {env, stderr}: ChatIo): Promise<void> {
	const {bugSentence} = await import('./bug.ts');
	stderr.write(`inkpod: What was said up to now is saved. ${bugSentence(error, env)}\n`);
}

async function wasKept(session: Session): Promise<boolean> {
	return access(historyFile(session.dir)).then(
		() => true,
		() => false,
	);
}

type Ending = {readonly code: number; readonly error?: Error};

/** All ways out of the screen: the person, a signal, a bug. Each gives the terminal back. */
function endings(screen: Screen): {readonly code: Promise<Ending>} {
	const {promise, resolve} = Promise.withResolvers<Ending>();
	screen.closed.then(
		() => resolve({code: 0}),
		(error: Error) => resolve({code: 1, error}),
	);
	const crash = (thrown: unknown) => {
		resolve({code: 1, error: thrown instanceof Error ? thrown : new Error(String(thrown))});
		screen.close();
	};
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	// Node would open its inspector, and write of it across the screen.
	process.on('SIGUSR1', () => {});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGALRM'] as const) {
		process.on(signal, () => {
			resolve({code: signalCodes[signal]});
			void screen.quit();
		});
	}
	return {code: promise.then(async ending => {
		await screen.closed.catch(() => {});
		return ending;
	})};
}
