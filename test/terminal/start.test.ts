import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {openTerminal} from '../helpers/pty.ts';

describe('the start of the program', () => {
	it('needs no segmenter for the first frame and keys, and creates one for text that needs it', async () => {
		const folder = await mkdtemp(path.join(os.tmpdir(), 'inkpod-start-'));
		onTestFinished(async () => rm(folder, {recursive: true, force: true}));
		const made = path.join(folder, 'made');
		const watch = path.join(folder, 'watch.mjs');
		await writeFile(
			watch,
			`import {writeFileSync} from 'node:fs';
const {Segmenter} = Intl;
Intl.Segmenter = class extends Segmenter {
	constructor(...options) {
		super(...options);
		writeFileSync(${JSON.stringify(made)}, '');
	}
};
`,
		);
		await using terminal = await openTerminal({
			command: [process.execPath, '--import', pathToFileURL(watch).href, await builtProgram()],
			args: ['--model', 'offline'],
		});
		await terminal.waitFor(/Project {2}/u);
		terminal.write('hello');
		await terminal.waitFor('hello');
		expect(existsSync(made)).toBe(false);
		terminal.write(' 👍🏽!');
		await terminal.waitFor('hello 👍🏽!');
		expect(existsSync(made)).toBe(true);
	});

	it('loads few modules of Node before the first frame, and none of them for an import', async () => {
		const folder = await mkdtemp(path.join(os.tmpdir(), 'inkpod-start-'));
		onTestFinished(async () => rm(folder, {recursive: true, force: true}));
		const loaded = path.join(folder, 'loaded');
		const watch = path.join(folder, 'watch.mjs');
		await writeFile(
			watch,
			`const {writeFileSync} = process.getBuiltinModule('node:fs');
const write = process.stdout.write;
const before = new Set(process.moduleLoadList);
process.stdout.write = function (text, ...rest) {
	if (String(text).includes('Project')) {
		process.stdout.write = write;
		const names = process.moduleLoadList.filter(name => !before.has(name) && name.startsWith('NativeModule '));
		writeFileSync(${JSON.stringify(loaded)}, names.map(name => name.slice(13)).join(' '));
	}
	return write.call(this, text, ...rest);
};
`,
		);
		await using terminal = await openTerminal({
			command: [process.execPath, '--import', pathToFileURL(watch).href, await builtProgram()],
			args: ['--model', 'offline'],
		});
		await terminal.waitFor(/Project {2}/u);
		const names = (await readFile(loaded, 'utf8')).split(' ');
		expect(names).toContain('timers/promises');
		const heavy = ['crypto', 'v8', 'vm', 'process', 'child_process', 'worker_threads', 'zlib'];
		expect(names.filter(name => heavy.includes(name))).toEqual([]);
		expect(names.length).toBeLessThanOrEqual(30);
	});

	it('loads one chunk in a turn of the event loop after the first frame, also while you type', async () => {
		const folder = await mkdtemp(path.join(os.tmpdir(), 'inkpod-start-'));
		onTestFinished(async () => rm(folder, {recursive: true, force: true}));
		const loaded = path.join(folder, 'loaded');
		const watch = path.join(folder, 'watch.mjs');
		await writeFile(
			watch,
			`const {appendFileSync} = process.getBuiltinModule('node:fs');
let turn = 0;
const count = () => {
	turn++;
	setImmediate(count);
};
setImmediate(count);
process.getBuiltinModule('node:module').registerHooks({
	load(url, context, next) {
		const name = /[/](\\w+-\\d+)-[^/]+[.]js$/u.exec(url)?.[1];
		if (name !== undefined) appendFileSync(${JSON.stringify(loaded)}, turn + ' ' + name + '\\n');
		return next(url, context);
	},
});
`,
		);
		await using terminal = await openTerminal({
			command: [process.execPath, '--import', pathToFileURL(watch).href, await builtProgram()],
			args: ['--model', 'offline'],
		});
		await terminal.waitFor(/Project {2}/u);
		terminal.write('hello');
		await terminal.waitFor('hello');
		await expect.poll(async () => readFile(loaded, 'utf8')).toContain('learn-1');
		const lines = (await readFile(loaded, 'utf8')).trim().split('\n');
		const names = lines.map(line => line.split(' ')[1]?.replace(/-\d+$/u, ''));
		expect(new Set(names)).toEqual(new Set(['first', 'pod', 'session', 'ink', 'attach', 'learn']));
		const turns = lines.map(line => line.split(' ')[0]);
		expect(turns.filter((turn, at) => turns.indexOf(turn) !== at)).toEqual([]);
	});
});
