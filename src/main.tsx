import process from 'node:process';
import {parseLaunch, subcommandNames, type Parsed} from './cli/args.ts';
import {flush} from './cli/output/flush.ts';
import {shortage} from './cli/start/shortage.ts';
import {table} from './cli/subcommands/list.ts';

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
	const code = parsed.ok ? await run(parsed, exit) : await refuse(parsed.sentence);
	await Promise.all([process.stdout, process.stderr].map(flush));
	process.exit(exit.signal.reason === 'unwritable' ? code || 1 : code);
}

/**
If the prompt is one word that resembles a subcommand (`inkpod sesions`), asks whether the user meant the subcommand.
Other prompts do not load this code.
*/
async function withMeant(argv: readonly string[]): Promise<Parsed> {
	const parsed = parseLaunch(argv);
	if (!parsed.ok || parsed.launch.command !== 'chat' || !/^[a-z-]+(?: \w{4,26})?$/i.test(parsed.launch.prompt))
		return parsed;
	const {askMeant} = await import('./cli/start/near-subcommand.ts');
	const meant = await askMeant(argv, parsed.launch, {names: subcommandNames, stdin: process.stdin, stdout});
	if (meant.kind === 'neither') return {ok: false, sentence: meant.sentence};
	return meant.kind === 'arguments' ? parseLaunch(meant.argv) : parsed;
}

/** The build replaces this variable with the package's version. */
const version = process.env['INKPOD_VERSION'] ?? 'unbuilt';

const {env, stdout, stderr} = process;

type Ready = Extract<Parsed, {readonly ok: true}>;

/**
Returns the exit code of a command. Reports a bug in one line. The chat reports most of its own bugs, because it must
restore the terminal first. `exit` aborts with an `ExitReason` (cli/output/signals.ts).
*/
async function run({launch, run: command}: Ready, exit: AbortController): Promise<number> {
	try {
		if (mayNeedBytes()) {
			const {useBytePaths, notUtf8} = await import('./cli/start/byte-paths.ts');
			if (!useBytePaths()) return await refuse(notUtf8);
		}
		if (launch.command !== 'chat' && launch.command !== 'replay') {
			// An editor waits for the first answer of the `acp` command, so this command loads the code later.
			if (launch.command !== 'acp') {
				const {watchOutput} = await import('./cli/output/signals.ts');
				watchOutput(process, exit);
			}
			process.on('uncaughtException', error => void reportError(error).then(code => process.exit(code)));
		}
		return await command({
			version,
			env,
			// Stdin is opened on its first use, because most commands do not read it.
			get stdin() {
				return process.stdin;
			},
			stdout,
			stderr,
			say,
			exit,
			table,
		});
	} catch (error) {
		return reportError(error);
	}
}

/**
Returns the reason why an argument or an environment variable with a folder cannot be used. The code that checks the
bytes is loaded only if a text contains a replacement character.
*/
async function replacedSentence(argv: readonly string[]): Promise<string | undefined> {
	if (![...argv, ...Object.values(process.env)].some(text => text?.includes('\ufffd'))) return undefined;
	const {replacedBytes} = await import('./cli/start/replaced-bytes.ts');
	return replacedBytes(argv, process.env);
}

/**
Tells whether Node may have replaced bytes of the working directory's path because it is not UTF-8. Returns false if the
directory has been removed.
*/
function mayNeedBytes(): boolean {
	try {
		return process.cwd().includes('\ufffd');
	} catch {
		return false;
	}
}

async function reportError(error: unknown): Promise<number> {
	const {unexpectedErrorText} = await import('./cli/output/unexpected-error.ts');
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

void main(process.argv.slice(2));
