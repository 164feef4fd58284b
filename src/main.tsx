import process from 'node:process';
import {helpText, parseLaunch, type Launch} from './args.ts';
import {flush} from './commands/output/flush.ts';

/** Runs the program and leaves with its exit code once everything is written. */
export async function main(argv: readonly string[]): Promise<void> {
	const parsed = parseLaunch(argv);
	const leave = new AbortController();
	// A run that waits for nothing but a signal would not keep the process alive.
	setInterval(() => {}, 2 ** 30);
	const code = parsed.ok ? await run(parsed.launch, leave) : await refuse(parsed.sentence);
	await Promise.all([process.stdout, process.stderr].map(flush));
	process.exit(leave.signal.reason === 'unwritable' ? code || 1 : code);
}

/**
The exit code of a command. A bug is told in a line; the chat, which has a screen to give back first, tells most of its
own.
*/
async function run(launch: Launch, leave: AbortController): Promise<number> {
	try {
		if (launch.command !== 'chat') {
			const {watchOutput} = await import('./commands/output/signals.ts');
			watchOutput(process, leave);
			process.on('uncaughtException', error => void reportError(error).then(code => process.exit(code)));
		}
		return await commands[launch.command](launch as never, leave);
	} catch (error) {
		return reportError(error);
	}
}

async function reportError(error: unknown): Promise<number> {
	const {unexpectedErrorText} = await import('./commands/output/unexpected-error.ts');
	process.stderr.write(`inkpod: ${unexpectedErrorText(error, process.env)}\n`);
	return 1;
}

async function refuse(sentence: string): Promise<number> {
	const {sanitizeLine} = await import('./tui/text/sanitize.ts');
	process.stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	return 2;
}

/** `leave` is aborted with an `ExitReason` (commands/signals.ts) when the program is to end. */
/** The build puts the package's version here. */
const version = process.env['INKPOD_VERSION'] ?? 'unbuilt';

type Command<Name extends Launch['command']> = (
	launch: Extract<Launch, {command: Name}>,
	leave: AbortController,
) => Promise<number>;

/** Each command is loaded when it is the one that was asked for. */
const commands: {readonly [Name in Launch['command']]: Command<Name>} = {
	async chat(launch) {
		const {chat} = await import('./commands/chat.ts');
		return chat(launch, {
			version,
			env: process.env,
			stdin: process.stdin,
			stdout: process.stdout,
			stderr: process.stderr,
		});
	},
	async print(launch, leave) {
		const [{print}, {readStdin}, {exitCodes, watchSignals}] = await Promise.all([
			import('./commands/print.ts'),
			import('./commands/print/read-stdin.ts'),
			import('./commands/output/signals.ts'),
		]);
		const piped = process.stdin.isTTY ? undefined : await readStdin(process.stdin);
		if (piped?.ok === false) return refuse(piped.sentence);
		let lastWords: (() => void) | undefined;
		watchSignals(leave, () => lastWords?.());
		const {env, stdout, stderr} = process;
		const code = await print(launch, {
			env,
			stdout,
			stderr,
			piped: piped?.text,
			signal: leave.signal,
			setLastWords: say => (lastWords = say),
		});
		await flush(stdout);
		// What the last write came to is reported after it.
		await new Promise(resolve => setImmediate(resolve));
		return leave.signal.reason === 'SIGPIPE' ? exitCodes.SIGPIPE : code;
	},
	async sessions(launch) {
		const {sessions} = await import('./commands/sessions.ts');
		const {env, stdout, stderr} = process;
		return sessions({...launch, env, stdout, stderr});
	},
	async verify(launch) {
		const {verify} = await import('./commands/verify.ts');
		const {env, stdout, stderr} = process;
		return verify({...launch, env, stdout, stderr});
	},
	async context(launch) {
		const {context} = await import('./commands/context.ts');
		const {env, stdout, stderr} = process;
		return context({...launch, env, stdout, stderr, terminal: stdout.isTTY});
	},
	async notify(launch) {
		const {notify} = await import('./commands/notify.ts');
		return notify({...launch, env: process.env, stderr: process.stderr});
	},
	async doctor(launch) {
		const {doctor} = await import('./commands/doctor.ts');
		return doctor({...launch, version, env: process.env, stdout: process.stdout});
	},
	async help() {
		process.stdout.write(helpText);
		return 0;
	},
	async version() {
		process.stdout.write(`${version}\n`);
		return 0;
	},
};

await main(process.argv.slice(2));
