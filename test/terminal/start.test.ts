import {existsSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {openTerminal} from '../helpers/pty.ts';

test('the first frame and the first keys, without the segmenter that takes as long as the rest of them; what needs one is shown all the same', async () => {
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
	await terminal.waitFor(/It works in/u);
	terminal.write('hello');
	await terminal.waitFor('hello');
	expect(existsSync(made)).toBe(false);
	terminal.write(' 👍🏽!');
	await terminal.waitFor('hello 👍🏽!');
	expect(existsSync(made)).toBe(true);
});
