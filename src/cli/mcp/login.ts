import {spawn} from 'node:child_process';
import {
	childEnv,
	configuredKeys,
	findProgram,
	findProject,
	homeProblem,
	loadConfig,
	logInToMcp,
	logOutOfMcp,
	oauthTexts,
	systemOf,
	type Env,
	type McpLoginOptions,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {askLine} from '../output/ask-line.ts';
import type {Output} from '../sessions.ts';
import type {McpAction} from '../start/launch.ts';
import {mcpTexts} from './servers.ts';

type McpLoginCommand = Extract<McpAction, {kind: 'login' | 'logout'}> & {
	readonly env: Env;
	readonly stdin: NodeJS.ReadableStream & {readonly isTTY?: boolean};
	readonly stdout: Output;
	readonly stderr: NodeJS.WritableStream & {readonly isTTY?: boolean};
	readonly signal: AbortSignal;
};

/** Implements `inkpod mcp login` and `inkpod mcp logout`. The exit code is 0, 1 if it failed, 2, or 3 without trust. */
export async function mcpLogin(options: McpLoginCommand): Promise<number> {
	const {env, stdout, stderr, name, signal} = options;
	const say = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	const problem = await homeProblem(env);
	const [loaded, found] = await Promise.all([loadConfig(env), findProject(options, env)]);
	const refused = problem ?? [loaded, found].flatMap(each => (each.ok ? [] : [each.sentence]))[0];
	if (refused !== undefined || !loaded.ok || !found.ok) {
		say(refused ?? '');
		return 2;
	}
	const keyNames = configuredKeys(loaded.config.servers);
	const {pwd} = found.manifest;
	const place = {env, pwd, keyNames, place: options};
	const onAddress = (address: URL) => {
		const browser = options.kind === 'login' && !options.noBrowser ? browserOf(env, pwd) : undefined;
		const text = browser === undefined ? oauthTexts.goTo : oauthTexts.open;
		stderr.write(`${text(address.href).split('\n').map(sanitizeLine).join('\n')}\n`);
		if (browser !== undefined) openBrowser(browser, address, childEnv(env, keyNames));
	};
	const result =
		options.kind === 'login'
			? await logInToMcp(name, {...place, signal, onAddress, trust: trustOf({...options, say})})
			: await logOutOfMcp(name, place);
	if (result.ok) stdout.write(`${sanitizeLine(result.sentence)}\n`);
	else say(result.sentence);
	if (result.ok) return 0;
	return result.isUntrusted === true ? 3 : 1;
}

type TrustIo = Pick<McpLoginCommand, 'stdin' | 'stderr' | 'signal'> & {
	readonly trust?: boolean;
	readonly say: (sentence: string) => void;
};

/** Shows the project's whole entry and asks for approval, if there is a terminal. */
function trustOf({trust, stdin, stderr, signal, say}: TrustIo): McpLoginOptions['trust'] {
	const ask: McpLoginOptions['trust']['ask'] = async ({title, detail}) => {
		const shown = [title, ...detail.split('\n')].map(line => `${sanitizeLine(line)}\n`).join('');
		stderr.write(shown);
		const answer = await askLine(mcpTexts.trustIt, {input: stdin, output: stderr, signal});
		return {choice: /^y(?:es)?$/i.test(answer) ? 'trust' : 'deny'};
	};
	const isAttended = stdin.isTTY === true && stderr.isTTY === true;
	return {acceptPresent: trust === true, onProblem: say, ...(isAttended && {ask})};
}

function browserOf(env: Env, pwd: string): string | undefined {
	return findProgram(systemOf().browser, env['PATH'], pwd);
}

/** Starts the browser with the address as its only argument. No shell reads it. */
function openBrowser(program: string, address: URL, env: Env): void {
	if (address.protocol !== 'https:' && address.protocol !== 'http:') return;
	const child = spawn(program, [address.href], {stdio: 'ignore', detached: true, cwd: '/', env});
	child.on('error', () => {});
	child.unref();
}
