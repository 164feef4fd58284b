// Draws the pictures of the README with the real program: in a small project, with the offline model, on a pty of
// 100x30.
// Usage: npm run pictures            writes docs/pictures/<scene>.svg
//        npm run pictures -- <scene> draws only this one
//        npm run pictures -- --check plays the scenes and writes nothing
// The pictures of an exported page need Chromium on PATH. Without it they do not change.
import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {requireNode} from './node-version.mjs';

requireNode();
const {openTerminal} = await import('../test/helpers/pty.ts');
const {builtProgram, projectRoot} = await import('../test/helpers/built.ts');
const {findProgram} = await import('../src/pod/platform/programs.ts');
const {startOllama} = await import('../test/helpers/ollama.ts');
const {fakeKeychain} = await import('../test/helpers/fake-keychain.ts');
const {startServer} = await import('../test/helpers/wire-servers/index.ts');
const {inLight, screenAsSvg} = await import('./svg.mjs');
const {exportedPage, keyServer, offline, scenes, submit} = await import('./scenes.mjs');

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

const isCheck = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter(name => name !== '--check');

for (const [name, scene] of Object.entries(scenes)) {
	if (wanted.length > 0 && !wanted.includes(name)) continue;
	const svg = await play(scene);
	const pictures = {[name]: svg, ...(scene.isLight && {[`${name}-light`]: inLight(svg)})};
	if (!isCheck) {
		await mkdir(path.join(projectRoot, 'docs/pictures'), {recursive: true});
		for (const [file, picture] of Object.entries(pictures))
			await writeFile(path.join(projectRoot, `docs/pictures/${file}.svg`), picture);
	}
	process.stdout.write(`${name}\n`);
}
if (wanted.length === 0 || wanted.includes('export')) await drawExport();

async function play(scene) {
	const {args = [], steps, isLight = false, env = {}, earlier = [], models = [], answers, choose, rows = 30} = scene;
	await using place = await makePlace({files: scene.files, isLight});
	const {home, cwd} = place;
	const ids = [];
	for (const prompt of earlier) ids.push(await runEarlier([prompt], place));
	await using server = models.length > 0 ? await startOllama(models, [], 0) : undefined;
	if (server !== undefined) {
		await mkdir(path.join(home, '.config/inkpod'), {recursive: true});
		const config = `[providers.ollama]\nbase_url = "http://127.0.0.1:${server.port}/v1"\n`;
		await writeFile(path.join(home, '.config/inkpod/config.toml'), config, {mode: 0o600});
	}
	const serverOptions = {...keyServer, ...(choose && {choose})};
	await using openai = answers === undefined ? undefined : await startServer('openai', answers, serverOptions);
	// The picture must not depend on the keychain of this machine.
	const {path: PATH} = openai === undefined ? process.env : await fakeKeychain(home);
	await using terminal = await openTerminal({
		args: typeof args === 'function' ? args(ids[0]) : args,
		env: {...(openai && {OPENAI_BASE_URL: openai.url}), ...env, PATH},
		...{cwd, home, rows, cols: 100},
	});
	for (const step of steps) {
		if (step.type !== undefined) terminal.write(step.type);
		else await terminal.waitFor(step.until);
	}
	return screenAsSvg(terminal.virtual);
}

/** Draws the page of an exported session in Chromium, for dark and light screens. */
async function drawExport() {
	const chromium = findProgram('chromium', process.env.PATH);
	if (chromium === undefined) {
		process.stdout.write('export: not drawn, because Chromium is not on PATH\n');
		return;
	}
	await using place = await makePlace({});
	const id = await runEarlier(exportedPage.prompts, place);
	const env = {...process.env, HOME: place.home};
	const page = path.join(place.home, 'session.html');
	const args = [await builtProgram(), 'export', id, '--format', 'html', '--to', page];
	await promisify(execFile)(process.execPath, args, {env, cwd: place.cwd});
	const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
	flags.push(`--window-size=${exportedPage.width},${exportedPage.height}`, `--user-data-dir=${place.home}/chromium`);
	for (const [name, scheme] of Object.entries({export: 0, 'export-light': 1})) {
		const to = path.join(isCheck ? place.home : `${projectRoot}/docs/pictures`, `${name}.png`);
		const look = [`--blink-settings=preferredColorScheme=${scheme}`, `--screenshot=${to}`];
		await promisify(execFile)(chromium, [...flags, ...look, `file://${page}`], {env});
	}
	process.stdout.write('export\n');
}

/** Makes a home with the sample project in it. */
async function makePlace({files = {}, isLight = false}) {
	const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'inkpod-pictures-')));
	// The screen shows the path, so it must be the same on every machine.
	const cwd = path.join(home, 'hello');
	const repository = isLight ? {'.git/HEAD': 'ref: refs/heads/main\n'} : {};
	for (const [file, text] of Object.entries({...sampleProject, ...files, ...repository})) {
		await mkdir(path.dirname(path.join(cwd, file)), {recursive: true});
		await writeFile(path.join(cwd, file), text);
	}
	return {home, cwd, [Symbol.asyncDispose]: async () => rm(home, {recursive: true, force: true, maxRetries: 5})};
}

/** Runs an earlier session of the project, and returns its id. The last prompt ends it. */
async function runEarlier(prompts, {home, cwd}) {
	await using terminal = await openTerminal({args: offline, home, cwd, rows: 40, cols: 100});
	await terminal.waitFor(/idle/u);
	for (const prompt of prompts)
		for (const step of submit(prompt)) {
			if (step.type !== undefined) terminal.write(step.type);
			else await terminal.waitFor(step.until);
		}
	terminal.write('\u0004');
	await terminal.exit;
	return /inkpod -r (\S+)/u.exec(String(terminal.raw()))?.[1];
}
