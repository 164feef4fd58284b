import {inLanguage} from '../../language/index.ts';
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
	type Env,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../tui/text/sanitize.ts';
import type {Output} from '../sessions.ts';
import type {McpAction} from '../start/launch.ts';

export type McpLoginCommand = Extract<McpAction, {kind: 'login' | 'logout'}> & {
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
	readonly signal: AbortSignal;
};

/** Implements `inkpod mcp login` and `inkpod mcp logout`. The exit code is 0, 1 if it failed, or 2. */
export async function mcpLogin(options: McpLoginCommand): Promise<number> {
	const {env, stdout, stderr, name, signal} = options;
	const say = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(inLanguage(sentence))}\n`);
	const problem = await homeProblem(env);
	const [loaded, found] = await Promise.all([loadConfig(env), findProject(options, env)]);
	const refused = problem ?? [loaded, found].flatMap(each => (each.ok ? [] : [each.sentence]))[0];
	if (refused !== undefined || !loaded.ok || !found.ok) {
		say(refused ?? '');
		return 2;
	}
	const keyNames = configuredKeys(loaded.config.servers);
	const {pwd} = found.manifest;
	const place = {env, pwd, keyNames};
	const onAddress = (address: URL) => {
		const browser = options.kind === 'login' && !options.noBrowser ? browserOf(env, pwd) : undefined;
		const text = browser === undefined ? oauthTexts.goTo : oauthTexts.open;
		stderr.write(`${text(address.href).split('\n').map(sanitizeLine).join('\n')}\n`);
		if (browser !== undefined) openBrowser(browser, address, childEnv(env, keyNames));
	};
	const result =
		options.kind === 'login'
			? await logInToMcp(name, {...place, signal, onAddress})
			: await logOutOfMcp(name, place);
	if (result.ok) stdout.write(`${sanitizeLine(inLanguage(result.sentence))}\n`);
	else say(result.sentence);
	return result.ok ? 0 : 1;
}

function browserOf(env: Env, pwd: string): string | undefined {
	return findProgram(process.platform === 'darwin' ? 'open' : 'xdg-open', env['PATH'], pwd);
}

/** Starts the browser with the address as its only argument. No shell reads it. */
function openBrowser(program: string, address: URL, env: Env): void {
	if (address.protocol !== 'https:' && address.protocol !== 'http:') return;
	const child = spawn(program, [address.href], {stdio: 'ignore', detached: true, cwd: '/', env});
	child.on('error', () => {});
	child.unref();
}
