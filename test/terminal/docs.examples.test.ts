import {execFile} from 'node:child_process';
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {commands, commandNamed} from '../../src/screen/model/commands/commands.ts';
import {builtProgram, projectRoot} from '../helpers/built.ts';
import {histories, idle, onlyHistory, openChat, send} from '../helpers/chat.ts';
import {linesOf, readExamples, unrunCommands, type Example} from '../helpers/examples.ts';
import {cleanEnvironment, type Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

const examples = readExamples();
const files = {
	'README.md': '# hello\n\nA very small program.\n',
	'src/greet.ts': 'export function greet(name: string) {\n\treturn `Hello, ${name}!`;\n}\n',
	'src/a.ts': '// TODO: more\n',
	'packages/app/': '',
	'../other/a.md': 'other\n',
	'answers.json': only('json answers.json').text,
};

describe('the commands of the docs', () => {
	it.each(ofKind('sh'))('run: $page, line $line', async example => {
		const place = await examplePlace();
		const commands = linesOf(example).filter(line => !Object.hasOwn(unrunCommands, line));
		const env = {...place.env, ID: commands.some(line => line.includes('$ID')) ? await place.session() : ''};
		await place.shell(commands.join('\n'), env);
	});

	it.each(ofKind('sh chat').flatMap(linesOf))('open a chat: %s', async line => {
		const place = await examplePlace();
		if (/ (?:-c|-r|--fork)$/u.test(line)) await place.session();
		const terminal = await openChat({...place, command: ['/bin/sh', '-c', line]});
		await terminal.waitFor(screen => isOpen(screen));
		await quit(terminal, line === 'inkpod -r' ? '\x1b' : '\x04');
	});

	it('notify a chat that is open', async () => {
		const place = await examplePlace();
		const terminal = await openChat({...place, args: ['--model', 'offline']});
		await terminal.waitFor(idle);
		await send(terminal, 'find TODO');
		const {session} = await afterRuns(place.home, 1);
		await place.shell(only('sh notify').text, {...place.env, ID: session});
		await terminal.waitFor('the build is done');
		await afterRuns(place.home, 2);
		await quit(terminal);
	});

	it('serve sessions without a terminal, and begin a task there', async () => {
		const place = await examplePlace();
		const [serve, ...others] = ofKind('sh serve').flatMap(linesOf);
		const first = `${serve} & server=$!; until [ -e "$XDG_RUNTIME_DIR"/inkpod/serve-*.sock ]; do :; done`;
		const runtime = path.join(place.home, 'run');
		await mkdir(runtime, {mode: 0o700});
		const env = {...place.env, XDG_RUNTIME_DIR: runtime};
		await place.shell([first, ...others, 'kill "$server"', 'wait "$server"'].join('\n'), env);
	});

	it('print the help that the page shows', async () => {
		const help = await (await examplePlace()).shell('inkpod --help');
		const page = path.join(projectRoot, 'docs/command-line.md');
		const before = await readFile(page, 'utf8');
		const after = before.replace(
			/(```text help\n).*?(```\n)/su,
			(_, start: string, end: string) => start + help + end,
		);
		if (process.env['INKPOD_UPDATE'] === 'docs') await writeFile(page, after);
		else expect(before).toBe(after);
	});

	it('are all tested, except those with a reason', () => {
		const all = ofKind('sh').flatMap(linesOf);
		expect(Object.keys(unrunCommands).filter(command => !all.includes(command))).toEqual([]);
	});
});

describe('the messages of the docs', () => {
	it.each(ofKind('text chat'))('have the described effect: $page, line $line', async example => {
		const place = await examplePlace();
		const terminal = await openChat({...place, args: ['--model', 'offline']});
		await terminal.waitFor(idle);
		let runs = 0;
		for (const line of linesOf(example)) {
			await send(terminal, line);
			if (line.startsWith('/')) {
				await afterCommand(terminal, line);
			} else if (line.startsWith('!')) {
				await terminal.waitFor(new RegExp(`^.*${line.split(' ').at(-1)}\\s*$`, 'mu'));
			} else {
				runs += 1;
				await afterRuns(place.home, runs);
			}
			await terminal.waitFor(idle);
		}
		await quit(terminal);
	});
});

describe('the files of the docs', () => {
	it.each(ofKind('json mcp.json'))('include valid MCP servers: $page, line $line', async ({text}) => {
		const place = await examplePlace();
		await place.config('mcp.json', text);
		const report = await place.shell('inkpod doctor --json', {...place.env, TRACKER_TOKEN: 'x'});
		const {mcpServers} = JSON.parse(text) as {readonly mcpServers: object};
		for (const name of Object.keys(mcpServers)) expect(report).toContain(name);
		expect(report).not.toMatch(/mcp\.json[^"]*(?:not set|not used|must)/u);
	});

	it('include a workflow, which the model reads as the page shows', async () => {
		const place = await examplePlace();
		for (const name of ['.inkpod/workflows/audit.md', '.inkpod/knowledge/style.md'])
			await writeInto(path.join(place.cwd, name), only(`markdown ${name}`).text);
		await writeInto(path.join(place.cwd, '.inkpod/knowledge/api.md'), '…\n');
		await place.shell("inkpod -p --model offline '/audit src/a.ts'");
		const {items} = await onlyHistory(place.home);
		const texts = items.filter(isOfWorkflow).map(({text}) => String(text).trimEnd());
		expect(`${texts.join('\n\n')}\n`).toBe(only('text workflow').text);
	});

	it('include a hook that stops a message', async () => {
		const place = await examplePlace();
		const hook = path.join(place.home, 'bin/no-secrets');
		await writeInto(hook, only('sh ~/bin/no-secrets').text);
		await chmod(hook, 0o700);
		const [config] = ofKind('toml config.toml').filter(({text}) => text.includes('~/bin/no-secrets'));
		await place.config('config.toml', config!.text);
		await place.shell("inkpod -p --model offline 'find TODO'");
		await expect(place.shell("inkpod -p --model offline 'BEGIN PRIVATE KEY'")).rejects.toMatchObject({
			code: 3,
			stderr: expect.stringContaining('The message contains a private key.') as unknown,
		});
	});
});

describe('the JSON of the docs', () => {
	it('has the same keys as the JSON that hooks read', async () => {
		const place = await examplePlace();
		const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreCompact'];
		const hooks = events.map(event => `[[hook]]\nevent = "${event}"\ncommand = "cat >> $HOME/hooks.jsonl"\n`);
		await place.config('config.toml', `[compaction]\nretained_tokens = 1\n${hooks.join('')}`);
		const terminal = await openChat({...place, args: ['--model', 'offline', '--approval', 'auto']});
		await terminal.waitFor(idle);
		const messages = ['explain @src/greet.ts:1-2', 'read src/greet.ts', 'run echo hi'];
		for (const [index, message] of messages.entries()) {
			await send(terminal, message);
			await afterRuns(place.home, index + 1);
		}
		await send(terminal, '/compact mind the names');
		const log = path.join(place.home, 'hooks.jsonl');
		await expect.poll(async () => readFile(log, 'utf8')).toContain('PreCompact');
		await terminal.waitFor(idle);
		await quit(terminal);
		const read = (await readFile(log, 'utf8')).trim().split('\n').map(shapeOf);
		for (const line of ofKind('json hook').flatMap(linesOf)) expect(read).toContain(shapeOf(line));
	});

	it('has the same keys as a result of print mode', async () => {
		const place = await examplePlace();
		await place.config('config.toml', '[[permission]]\ntool = "bash"\nmatch = "npm publish*"\naction = "deny"\n');
		const command = "inkpod -p --model offline --output-format json 'run npm publish'";
		const failure: unknown = await place.shell(command).catch((error: unknown) => error);
		expect(failure).toMatchObject({code: 5});
		const {stdout} = failure as {readonly stdout: string};
		const keys = Object.keys(JSON.parse(stdout) as object);
		const shown = JSON.parse(only('json result').text) as {readonly denied: readonly object[]};
		expect(keys).toEqual(expect.arrayContaining(Object.keys(shown)));
		const [denied] = (JSON.parse(stdout) as {readonly denied: readonly object[]}).denied;
		expect(Object.keys(denied!)).toEqual(Object.keys(shown.denied[0]!));
	});
});

type Place = {
	readonly cwd: string;
	readonly home: string;
	readonly env: Readonly<Record<string, string>>;
	/** Runs a line in a shell and returns its stderr and stdout. Rejects when it fails. */
	shell(command: string, env?: Readonly<Record<string, string>>): Promise<string>;
	/** Writes a file of the user's configuration. */
	config(name: string, text: string): Promise<void>;
	/** Creates a session and returns its id. */
	session(): Promise<string>;
};

/** Creates a project and a home, with `inkpod` in the PATH. */
async function examplePlace(): Promise<Place> {
	const {dir} = await tempProject(files);
	const home = path.join(path.dirname(dir), 'home');
	const bin = path.join(path.dirname(dir), 'bin');
	await writeInto(path.join(bin, 'inkpod'), `#!/bin/sh\nexec '${process.execPath}' '${await builtProgram()}' "$@"\n`);
	// These programs succeed without doing anything. The examples run them.
	for (const name of ['make', 'python3']) await writeInto(path.join(bin, name), '#!/bin/sh\n');
	await Promise.all(['inkpod', 'make', 'python3'].map(async name => chmod(path.join(bin, name), 0o700)));
	await mkdir(home, {recursive: true});
	const clean = cleanEnvironment(home);
	const env = {...clean, PATH: `${bin}:${clean['PATH']}`, INKPOD_MODEL: 'offline'};
	const shell: Place['shell'] = async (command, given = env) => {
		const running = promisify(execFile)('/bin/sh', ['-euc', command], {cwd: dir, env: given});
		running.child.stdin?.end();
		const {stdout, stderr} = await running;
		return stderr + stdout;
	};
	return {
		cwd: dir,
		home,
		env,
		shell,
		config: async (name, text) => writeInto(path.join(home, '.config/inkpod', name), text),
		async session() {
			await shell("inkpod -p --model offline 'find TODO'");
			return (await onlyHistory(home)).session;
		},
	};
}

async function writeInto(file: string, text: string): Promise<void> {
	await mkdir(path.dirname(file), {recursive: true});
	await writeFile(file, text);
}

function ofKind(kind: string): readonly Example[] {
	return examples.filter(example => example.kind === kind);
}

function only(kind: string): Example {
	const [found, ...others] = ofKind(kind);
	if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} blocks of kind ${kind}`);
	return found;
}

function isOpen(screen: string): boolean {
	return idle.test(screen) || /^Status: /mu.test(screen) || /Resume (?:a )?session/u.test(screen);
}

/** Presses a key until the program has ended, because a turn may still run. */
async function quit(terminal: Terminal, key = '\x04'): Promise<void> {
	for (let tries = 0; tries < 20; tries++) {
		terminal.write(key);
		const ended = await Promise.race([
			terminal.exit,
			terminal.waitFor(() => false, {timeoutMs: 1000}).catch(() => undefined),
		]);
		if (typeof ended === 'object') {
			expect(ended).toMatchObject({code: 0});
			return;
		}
	}
	throw new Error(`The program did not end:\n${terminal.screen()}`);
}

/** Waits for the effect of a slash command, then closes the page that it opened. */
async function afterCommand(terminal: Terminal, line: string): Promise<void> {
	// If the command was refused, it would be in the composer again.
	await terminal.waitFor(screen => !screen.includes(`❯ ${line}`));
	const word = line.slice(1).split(' ')[0]!;
	const name = commandNamed(word);
	if (name === undefined) throw new Error(`no command is called ${word}`);
	if (!('opens' in commands[name])) return;
	await terminal.waitFor(/Esc (?:closes?|discards?)\b/u);
	terminal.write('\x1b');
	await terminal.waitFor(screen => !/Esc (?:closes?|discards?)\b/u.test(screen));
}

/** Returns the only history of a home when this number of runs have ended in it. */
async function afterRuns(home: string, count: number): ReturnType<typeof onlyHistory> {
	const runs = async () => {
		if ((await histories(home)).length === 0) return 0;
		return (await onlyHistory(home)).items.filter(({type}) => type === 'run_end').length;
	};
	await expect.poll(runs).toBe(count);
	return onlyHistory(home);
}

function isOfWorkflow({role, origin}: Readonly<Record<string, unknown>>): boolean {
	const kind = typeof origin === 'object' && origin !== null && 'kind' in origin ? origin.kind : undefined;
	return role === 'system' && (kind === 'workflow' || kind === 'knowledge');
}

/** Returns the keys and types of a line of JSON, in order. */
function shapeOf(line: string): string {
	const value = JSON.parse(line) as Readonly<Record<string, unknown>>;
	const shapes = Object.entries(value).map(
		([key, inner]) => `${key}: ${Array.isArray(inner) ? 'list' : typeof inner}`,
	);
	return `${String(value['event'])} ${shapes.join(', ')}`;
}
