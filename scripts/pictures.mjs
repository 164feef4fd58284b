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
const {screenAsSvg} = await import('./svg.mjs');

/**
The scenes. Each has the arguments of inkpod and its steps. A step types something, or waits for a text on the screen.
The picture shows the screen after the last step.
*/
const scenes = {
	start: {steps: [{until: /offline/u}]},
	transcript: {steps: [ready(), ...submit('explain @src/greet.ts and @notes.md')]},
	tools: {steps: [ready(), ...submit('find TODO')]},
	card: {
		steps: [
			ready(),
			...type('replace Hello by Welcome in src/greet.ts'),
			{until: screen => screen.includes('1. Yes') && !/finish typing|just appeared/iu.test(screen)},
		],
	},
	stopped: {
		args: ['--approval', 'auto'],
		steps: [
			ready(),
			...type('run sh build.sh'),
			{until: /step 3/u},
			{type: '\u001b'},
			{until: /interrupted · offline/u},
		],
	},
	context: {
		steps: [ready(), ...submit('explain @src/greet.ts'), ...submit('find TODO'), ...open('/context', /prompt.*%/u)],
	},
	rewind: {
		args: ['--approval', 'accept-edits'],
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
	if (!process.argv.includes('--check')) {
		await mkdir(path.join(projectRoot, 'docs/pictures'), {recursive: true});
		await writeFile(path.join(projectRoot, `docs/pictures/${name}.svg`), svg);
	}
	process.stdout.write(`${name}\n`);
}

async function play({args = [], steps}) {
	const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'inkpod-pictures-')));
	// The screen shows the path, so it must be the same on every machine.
	const project = path.join(directory, 'hello');
	try {
		for (const [file, text] of Object.entries(sampleProject)) {
			await mkdir(path.dirname(path.join(project, file)), {recursive: true});
			await writeFile(path.join(project, file), text);
		}
		await using terminal = await openTerminal({
			args: ['--model', 'offline', ...args],
			cwd: project,
			home: directory,
			cols: 100,
			rows: 30,
		});
		for (const step of steps) {
			if (step.type !== undefined) terminal.write(step.type);
			else await terminal.waitFor(step.until);
		}
		return screenAsSvg(terminal.virtual);
	} finally {
		await rm(directory, {recursive: true, force: true});
	}
}

/** Waits until the chat is open and ready for a message. */
function ready() {
	return {until: /idle/u};
}

/** Types a message, and sends it when the composer shows it. */
function type(text) {
	return [{type: text}, {until: text}, {type: '\r'}];
}

/** Opens a page. */
function open(command, shows) {
	return [...type(command), {until: screen => !screen.includes(`❯ ${command}`) && shows.test(screen)}];
}

/** Sends a message and waits for the end of its turn. The turn's last line shows the model and the time. */
function submit(text) {
	const isOver = screen => {
		const start = screen.lastIndexOf(`▌ ${text}`);
		const turn = screen.slice(start);
		return start >= 0 && /^.*offline .*\d s\s*$/mu.test(turn) && /idle/u.test(turn);
	};
	return [...type(text), {until: isOver}];
}
