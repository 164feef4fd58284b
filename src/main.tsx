import process from 'node:process';
import {helpText, parseLaunch, type Launch} from './args.ts';

/** Runs the program and leaves with its exit code once everything is written. */
export async function main(argv: readonly string[]): Promise<void> {
	const parsed = parseLaunch(argv);
	if (!parsed.ok) process.stderr.write(`inkpod: ${parsed.sentence}\n`);
	const code = parsed.ok ? await commands[parsed.launch.command](parsed.launch as never) : 2;
	await Promise.all([process.stdout, process.stderr].map(async stream => new Promise(resolve => stream.write('', resolve))));
	process.exit(code);
}

type Command<Name extends Launch['command']> = (launch: Extract<Launch, {command: Name}>) => Promise<number>;

/** Each command is loaded when it is the one that was asked for. */
const commands: {readonly [Name in Launch['command']]: Command<Name>} = {
	async chat(launch) {
		const {chat} = await import('./commands/chat.ts');
		return chat(launch, {env: process.env, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr});
	},
	async print(launch) {
		const {print} = await import('./commands/print.ts');
		const {env, stdout, stderr} = process;
		return print(launch, {env, stdout, stderr, piped: process.stdin.isTTY ? undefined : await readAll(process.stdin), signal: stopSignal()});
	},
	async sessions({cwd, ...launch}) {
		const {sessions} = await import('./commands/sessions.ts');
		return sessions({...launch, cwd: cwd ?? process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr});
	},
	async verify({cwd, id}) {
		const {verify} = await import('./commands/verify.ts');
		return verify({id, cwd: cwd ?? process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr});
	},
	async help() {
		process.stdout.write(helpText);
		return 0;
	},
	async version() {
		process.stdout.write(`${process.env['INKPOD_VERSION'] ?? 'unbuilt'}\n`);
		return 0;
	},
};

/** At most this much of a piped prompt is read, in bytes: more is no prompt. */
const pipeLimit = 16 * 1024 * 1024;

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		const bytes = Buffer.from(chunk);
		size += bytes.length;
		if (size > pipeLimit) throw new RangeError('More than 16 MB were piped in.');
		chunks.push(bytes);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function stopSignal(): AbortSignal {
	const controller = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort(signal));
	return controller.signal;
}

await main(process.argv.slice(2));
