// Draws the README's pictures from the real program: a small project, the offline model, a pty of 100x30.
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

/** The typed text, and what the screen must show before the next step. The picture shows the screen after the last. */
const scenes = {
	start: [{until: /offline/u}],
	transcript: [{until: /idle/u}, ...submit('explain @src/greet.ts and @notes.md')],
	tools: [{until: /idle/u}, ...submit('find TODO')],
};

const sampleProject = {
	'src/greet.ts': [
		'/** Greets a person by name, in their language. */',
		"export function greet(name: string, language: 'en' | 'ja' = 'en'): string {",
		"\treturn language === 'ja' ? `こんにちは、${name}さん` : `Hello, ${name}!`;",
		'}\n',
	].join('\n'),
	'src/main.ts': [
		"import {greet} from './greet.ts';\n",
		'// TODO: take the name from the command line',
		"console.log(greet('Ada'));",
		"console.log(greet('Ada', 'ja'));\n",
	].join('\n'),
	'README.md': '# hello\n\nA very small program that greets people.\n',
};

for (const [name, steps] of Object.entries(scenes)) {
	const svg = await play(steps);
	if (!process.argv.includes('--check')) {
		await mkdir(path.join(projectRoot, 'docs/pictures'), {recursive: true});
		await writeFile(path.join(projectRoot, `docs/pictures/${name}.svg`), svg);
	}
	process.stdout.write(`${name}\n`);
}

async function play(steps) {
	const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'inkpod-pictures-')));
	// The screen shows the path, which must be the same on every machine.
	const project = path.join(directory, 'hello');
	try {
		for (const [file, text] of Object.entries(sampleProject)) {
			await mkdir(path.dirname(path.join(project, file)), {recursive: true});
			await writeFile(path.join(project, file), text);
		}
		await using terminal = await openTerminal({
			args: ['--model', 'offline'],
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

// Each answer of the offline model ends with the same sentence. The status line shows when the run is over.
function submit(text) {
	return [
		{type: text},
		{until: text},
		{type: '\r'},
		{until: screen => /rules, not a language model/u.test(screen) && /idle/u.test(screen)},
	];
}
