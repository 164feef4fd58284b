// Draws the pictures of the README from the real program: a small project, the offline model, a pty of 100x30.
// Usage: npm run pictures            writes docs/pictures/<scene>.svg
//        npm run pictures -- --check plays the scenes and writes nothing
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {requireNode} from './node-version.mjs';

requireNode();
const {openTerminal} = await import('../test/helpers/pty.ts');
const {projectRoot} = await import('../test/helpers/built.ts');
const {startOllama} = await import('../test/helpers/ollama.ts');
const {fakeKeychain} = await import('../test/helpers/fake-keychain.ts');
const {startServer} = await import('../test/helpers/wire-servers/index.ts');
const {inLight, screenAsSvg} = await import('./svg.mjs');

const offline = ['--model', 'offline'];

/** A server that accepts one key. The screen shows its address, so it must be the same in every picture. */
const keyServer = {key: 'sk-0123456789abcdef', port: 8787};
const greetAnswer = [
	'`src/greet.ts` exports one function, `greet(name, language)`. It returns a greeting in English or in Japanese.',
	'English is the default.',
].join(' ');

/**
The scenes of the pictures. Those of the first minute are also drawn for a light terminal. Each has the arguments of
inkpod and its steps. A step types something, or waits for a text on the screen. The picture shows the screen after the
last step.
*/
const scenes = {
	start: {args: offline, isLight: true, steps: [{until: /To connect one[^]*branch main/u}]},
	'first-screen-key': {
		isLight: true,
		args: [],
		env: {ANTHROPIC_API_KEY: 'none'},
		earlier: ['explain @src/greet.ts', 'add a greeting in French'],
		steps: [{until: /branch main[^]*Alt\+2|Alt\+2[^]*branch main/u}],
	},
	'first-screen-local': {
		isLight: true,
		args: [],
		models: ['qwen3:8b'],
		steps: [{until: /Enter uses[^]*branch main/u}],
	},
	'refused-key': {
		isLight: true,
		rows: 18,
		args: ['--model', 'openai/gpt-6-astra'],
		env: {OPENAI_API_KEY: 'sk-an-old-key', OPENAI_BASE_URL: `http://127.0.0.1:${keyServer.port}`},
		answers: [[{type: 'text', text: greetAnswer}]],
		steps: [
			ready(),
			...type('what does src/greet.ts export?'),
			{until: /Alt\+L for another key/u},
			{type: '\u001bl'},
			{until: /Key for openai/u},
			{type: keyServer.key},
			{until: '••••'},
			{type: '\r'},
			{until: /English is the default[^]*still set[^]*idle/u},
		],
	},
	transcript: {args: offline, steps: [ready(), ...submit('explain @src/greet.ts and @notes.md')]},
	tools: {args: offline, steps: [ready(), ...submit('find TODO')]},
	card: {
		args: offline,
		steps: [
			ready(),
			...type('replace Hello by Welcome in src/greet.ts'),
			{until: screen => screen.includes('1. Yes') && !/finish typing|just appeared/iu.test(screen)},
		],
	},
	stopped: {
		args: [...offline, '--approval', 'auto'],
		steps: [
			ready(),
			...type('run sh build.sh'),
			{until: /step 3/u},
			{type: '\u001b'},
			{until: /Interrupted · Enter to continue/u},
		],
	},
	context: {
		args: offline,
		steps: [ready(), ...submit('explain @src/greet.ts'), ...submit('find TODO'), ...open('/context', /prompt.*%/u)],
	},
	rewind: {
		args: [...offline, '--approval', 'accept-edits'],
		steps: [
			ready(),
			...submit('explain @src/greet.ts'),
			...submit('replace Hello by Welcome in src/greet.ts'),
			...submit('find TODO'),
			...open('/rewind', /1 file/u),
		],
	},
};

const sampleProject = {
	'src/greet.ts':
		'/** Greets a person by name, in their language. */\n' +
		"export function greet(name: string, language: 'en' | 'ja' = 'en'): string {\n" +
		"\treturn language === 'ja' ? `こんにちは、${name}さん` : `Hello, ${name}!`;\n}\n",
	'src/main.ts':
		"import {greet} from './greet.ts';\n\n// TODO: take the name from the command line\n" +
		"console.log(greet('Ada'));\nconsole.log(greet('Ada', 'ja'));\n",
	'README.md': '# hello\n\nA very small program that greets people.\n',
	'build.sh': 'for n in 1 2 3; do echo "step $n of 9: compiling"; done\nsleep 60\n',
};

for (const [name, scene] of Object.entries(scenes)) {
	const svg = await play(scene);
	const pictures = {[name]: svg, ...(scene.isLight && {[`${name}-light`]: inLight(svg)})};
	if (!process.argv.includes('--check')) {
		await mkdir(path.join(projectRoot, 'docs/pictures'), {recursive: true});
		for (const [file, picture] of Object.entries(pictures))
			await writeFile(path.join(projectRoot, `docs/pictures/${file}.svg`), picture);
	}
	process.stdout.write(`${name}\n`);
}

async function play(scene) {
	const {args = [], steps, isLight = false, env = {}, earlier = [], models = [], answers = [], rows = 30} = scene;
	const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'inkpod-pictures-')));
	// The screen shows the path, so it must be the same on every machine.
	const project = path.join(directory, 'hello');
	try {
		for (const [file, text] of Object.entries(sampleProject)) {
			await mkdir(path.dirname(path.join(project, file)), {recursive: true});
			await writeFile(path.join(project, file), text);
		}
		const place = {cwd: project, home: directory, cols: 100, rows};
		for (const prompt of earlier) await runEarlier(prompt, place);
		if (isLight) {
			await mkdir(path.join(project, '.git'));
			await writeFile(path.join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
		}
		await using server = models.length > 0 ? await startOllama(models, [], 0) : undefined;
		if (server !== undefined) {
			await mkdir(path.join(directory, '.config/inkpod'), {recursive: true});
			const config = `[providers.ollama]\nbase_url = "http://127.0.0.1:${server.port}/v1"\n`;
			await writeFile(path.join(directory, '.config/inkpod/config.toml'), config, {mode: 0o600});
		}
		await using openai = answers.length > 0 ? await startServer('openai', answers, keyServer) : undefined;
		// The picture must not depend on the keychain of this machine.
		const {path: PATH} = openai === undefined ? process.env : await fakeKeychain(directory);
		await using terminal = await openTerminal({args, env: {...env, PATH}, ...place});
		for (const step of steps) {
			if (step.type !== undefined) terminal.write(step.type);
			else await terminal.waitFor(step.until);
		}
		return screenAsSvg(terminal.virtual);
	} finally {
		await rm(directory, {recursive: true, force: true});
	}
}

/** Runs an earlier session of the project. */
async function runEarlier(prompt, place) {
	await using terminal = await openTerminal({args: [...offline, prompt], ...place});
	await terminal.waitFor(/^ {2}[\d.]+ s\b[^]*idle/mu);
	terminal.write('\u0004');
	await terminal.exit;
}

/** Waits until the chat is open and ready for a message. */
function ready() {
	return {until: /idle/u};
}

/** Types a message, and sends it when the composer shows the message. */
function type(text) {
	return [{type: text}, {until: text}, {type: '\r'}];
}

/** Opens a page. */
function open(command, shows) {
	return [...type(command), {until: screen => !screen.includes(`❯ ${command}`) && shows.test(screen)}];
}

/** Sends a message and waits for the end of its turn. The turn's last line begins with its time. */
function submit(text) {
	const isOver = screen => {
		const start = screen.lastIndexOf(`▌ ${text}`);
		const turn = screen.slice(start);
		return start >= 0 && /^ {2}[\d.]+ s\b/mu.test(turn) && /idle/u.test(turn);
	};
	return [...type(text), {until: isOver}];
}
