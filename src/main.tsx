import process from 'node:process';
import {optionValues, parseLaunch, subcommandNames, type Launch, type Parsed} from './args.ts';
import {helpText} from './commands/help/help-text.ts';
import {flush} from './commands/output/flush.ts';
import {shortage} from './commands/start/shortage.ts';

/** Runs the program. The process exits with the command's code after all output is written. */
export async function main(argv: readonly string[]): Promise<void> {
	const parsed = await withMeant(argv);
	const exit = new AbortController();
	// Without this timer, Node would exit while a command only waits for a signal.
	setInterval(() => {}, 2 ** 30);
	const replaced = await replacedSentence(argv);
	if (replaced !== undefined) process.exit(await refuse(replaced));
	const short = shortage();
	if (short !== undefined) process.exit(await refuse(short));
	const code = parsed.ok ? await run(parsed.launch, exit) : await refuse(parsed.sentence);
	await Promise.all([process.stdout, process.stderr].map(flush));
	process.exit(exit.signal.reason === 'unwritable' ? code || 1 : code);
}

/** Asks about a single word that is close to a subcommand. A start without such a word loads no code for this. */
async function withMeant(argv: readonly string[]): Promise<Parsed> {
	const parsed = parseLaunch(argv);
	if (!parsed.ok || parsed.launch.command !== 'chat' || !/^[a-z-]+(?: \w{4,26})?$/i.test(parsed.launch.prompt))
		return parsed;
	const {askMeant} = await import('./commands/start/near-subcommand.ts');
	const meant = await askMeant(argv, parsed.launch, {names: subcommandNames, stdin: process.stdin, stdout});
	if (meant.kind === 'neither') return {ok: false, sentence: meant.sentence};
	return meant.kind === 'arguments' ? parseLaunch(meant.argv) : parsed;
}

/** The build puts the package's version here. */
const version = process.env['INKPOD_VERSION'] ?? 'unbuilt';

/**
Returns the exit code of a command. Reports a bug in one line. The chat reports most of its own bugs, because it must
restore the terminal first. `exit` aborts with an `ExitReason` (commands/output/signals.ts).
*/
async function run(launch: Launch, exit: AbortController): Promise<number> {
	try {
		if (mayNeedBytes()) {
			const {useBytePaths, notUtf8} = await import('./commands/start/byte-paths.ts');
			if (!useBytePaths()) return await refuse(notUtf8);
		}
		if (launch.command !== 'chat' && launch.command !== 'replay') {
			// An editor waits for the first answer of acp, so that loads this code later.
			if (launch.command !== 'acp') {
				const {watchOutput} = await import('./commands/output/signals.ts');
				watchOutput(process, exit);
			}
			process.on('uncaughtException', error => void reportError(error).then(code => process.exit(code)));
		}
		return await dispatch(launch.command, launch, exit);
	} catch (error) {
		return reportError(error);
	}
}

/** Returns why an argument or a folder's variable cannot be used. Almost no start needs to look at its bytes. */
async function replacedSentence(argv: readonly string[]): Promise<string | undefined> {
	if (![...argv, ...Object.values(process.env)].some(text => text?.includes('\ufffd'))) return undefined;
	const {replacedBytes} = await import('./commands/start/replaced-bytes.ts');
	return replacedBytes(argv, process.env);
}

/** Whether Node may have replaced bytes of a path that is not UTF-8. The folder may also be removed. */
function mayNeedBytes(): boolean {
	try {
		return process.cwd().includes('\ufffd');
	} catch {
		return false;
	}
}

async function reportError(error: unknown): Promise<number> {
	const {unexpectedErrorText} = await import('./commands/output/unexpected-error.ts');
	process.stderr.write(`inkpod: ${unexpectedErrorText(error, process.env)}\n`);
	return 1;
}

async function refuse(sentence: string): Promise<number> {
	await say(sentence);
	return 2;
}

async function say(sentence: string): Promise<void> {
	const {sanitizeLine} = await import('./text/sanitize.ts');
	process.stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
}

type Launches = {readonly [Name in Launch['command']]: Extract<Launch, {command: Name}>};
type Commands = {
	readonly [Name in keyof Launches]: (launch: Launches[Name], exit: AbortController) => Promise<number>;
};

async function dispatch<Name extends keyof Launches>(
	name: Name,
	launch: Launches[Name],
	exit: AbortController,
): Promise<number> {
	return commands[name](launch, exit);
}

const {env, stdout, stderr} = process;

/** Each command is loaded only when it is used. */
const commands: Commands = {
	async chat(launch) {
		const {chat} = await import('./commands/chat.ts');
		return chat(launch, {version, env, stdin: process.stdin, stdout, stderr});
	},
	print,
	async background(launch) {
		const {background} = await import('./commands/serve/commands.ts');
		return background({...launch, env, stdout, stderr});
	},
	async relay(launch, exit) {
		const {relay} = await import('./commands/serve/commands.ts');
		return relay({...launch, env, stdin: process.stdin, stdout, stderr, signal: exit.signal});
	},
	async acp({start}, exit) {
		const {acp} = await import('./commands/acp/acp.ts');
		return acp({start, version, env, stdin: process.stdin, stdout, stderr, exit});
	},
	async serve(launch, exit) {
		const [{serve}, {watchSignals}] = await Promise.all([
			import('./commands/serve/commands.ts'),
			import('./commands/output/signals.ts'),
		]);
		watchSignals(exit, () => {});
		return serve({...launch, env, stdout, stderr, signal: exit.signal});
	},
	async sessions(launch) {
		const {sessions} = await import('./commands/sessions.ts');
		return sessions({...launch, env, stdout, stderr});
	},
	async verify(launch) {
		const {verify} = await import('./commands/records.ts');
		return verify({...launch, env, stdout, stderr});
	},
	async replay(launch) {
		const {replay} = await import('./commands/chat.ts');
		return replay(launch, {version, env, stdin: process.stdin, stdout, stderr});
	},
	async verifyBundle(launch) {
		const {verifyBundle} = await import('./commands/records.ts');
		return verifyBundle({...launch, version, stdout, stderr});
	},
	async repair(launch) {
		const {repair} = await import('./commands/repair.ts');
		return repair({...launch, env, stdout, stderr});
	},
	async delete(launch) {
		const {deleteSession} = await import('./commands/keep/trash.ts');
		return deleteSession({...launch, env, stdout, stderr});
	},
	async trash(launch) {
		const {trash} = await import('./commands/keep/trash.ts');
		return trash({...launch, env, stdout, stderr});
	},
	async import(launch) {
		const {importFile} = await import('./commands/keep/import.ts');
		return importFile({...launch, env, stdout, stderr});
	},
	async export(launch) {
		const {format, to, ...rest} = launch;
		if (format === 'bundle') {
			const {exportBundle} = await import('./commands/records.ts');
			return exportBundle({...rest, to: to ?? '', version, env, stderr});
		}
		const {exportSession} = await import('./commands/records.ts');
		return exportSession({...rest, to, format, env, stdout, stderr});
	},
	async completions({shell}) {
		const {completions, readUsage} = await import('./commands/help/index.ts');
		stdout.write(completions(shell, readUsage(helpText), optionValues));
		return 0;
	},
	async man() {
		const {manual, readUsage} = await import('./commands/help/index.ts');
		stdout.write(manual(version, readUsage(helpText)));
		return 0;
	},
	async context(launch) {
		const {context} = await import('./commands/context.ts');
		return context({...launch, env, stdout, stderr, terminal: stdout.isTTY});
	},
	async notify(launch) {
		const {notify} = await import('./commands/notify.ts');
		return notify({...launch, env, stderr});
	},
	async models(launch) {
		const {models} = await import('./commands/models.ts');
		return models({...launch, env, stdout, stderr});
	},
	async config(launch) {
		const {config} = await import('./commands/settings/settings.ts');
		return config({...launch, env, stdout, stderr});
	},
	async login(launch) {
		const {login} = await import('./commands/login/login.ts');
		return login({...launch, env, stdin: process.stdin, stdout, stderr});
	},
	async logout(launch) {
		const {logout} = await import('./commands/login/login.ts');
		return logout({...launch, env, stdout, stderr});
	},
	async mcp({action}, exit) {
		const {mcp} = await import('./commands/mcp/mcp.ts');
		return mcp({action, version, env, stdin: process.stdin, stdout, stderr, signal: exit.signal});
	},
	async doctor(launch) {
		const {doctor} = await import('./commands/doctor.ts');
		return doctor({...launch, version, env, stdout});
	},
	async help() {
		const {translateHelp} = await import('./commands/help/translate-help.ts');
		return write(translateHelp(helpText));
	},
	version: async () => write(`${version}\n`),
};

function write(text: string): number {
	process.stdout.write(text);
	return 0;
}

async function print(launch: Launches['print'], exit: AbortController): Promise<number> {
	const [command, {exitCodes, watchSignals}] = await Promise.all([
		import('./commands/print.ts'),
		import('./commands/output/signals.ts'),
	]);
	const isPiped = !process.stdin.isTTY;
	// With a prompt, the message is complete without stdin.
	const patience = launch.prompt.trim() === '' ? undefined : AbortSignal.timeout(maxSilenceMs);
	const piped = isPiped && launch.isStream !== true ? await command.readStdin(process.stdin, patience) : undefined;
	if (piped?.ok === false) return refuse(piped.sentence);
	if (piped?.warning !== undefined) await say(piped.warning);
	let lastWords: (() => void) | undefined;
	watchSignals(exit, () => lastWords?.());
	const code = await command.print(launch, {
		env,
		stdout,
		stderr,
		piped: piped?.text,
		input: isPiped && launch.isStream === true ? process.stdin : undefined,
		signal: exit.signal,
		setLastWords: write => (lastWords = write),
	});
	await flush(stdout);
	// The result of a write arrives only after the write itself, so the last one needs this delay.
	await new Promise(resolve => setImmediate(resolve));
	return exit.signal.reason === 'SIGPIPE' ? exitCodes.SIGPIPE : code;
}

/** The milliseconds that print mode waits for the first data on stdin. */
const maxSilenceMs = 3000;

void main(process.argv.slice(2));
