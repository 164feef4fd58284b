import {chmod, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, it} from 'vitest';
import {readClipboardText} from '../../../../src/screen/terminal/clipboard/clipboard-text.ts';
import {programsIn} from '../../../helpers/programs.ts';

async function read(
	programs: Readonly<Record<string, string>>,
	env: Readonly<Record<string, string>> = {DISPLAY: ':0'},
	platform: NodeJS.Platform = 'linux',
) {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-clipboard-'));
	onTestFinished(async () => rm(dir, {recursive: true}));
	for (const [name, body] of Object.entries(programs)) {
		await writeFile(join(dir, name), `#!/bin/sh\n${body}\n`);
		await chmod(join(dir, name), 0o755);
	}
	return readClipboardText({platform, programs: programsIn({PATH: dir, ...env}), timeoutMs: 500});
}

const none = {ok: false, sentence: 'The clipboard contains no text.'};

describe('the text in the clipboard', () => {
	it('is what the first program prints that has one', async () => {
		const programs = {'wl-paste': 'exit 1', xclip: "printf 'one\\r\\ntwo'"};
		expect(await read(programs, {WAYLAND_DISPLAY: 'w', DISPLAY: ':0'})).toEqual({ok: true, text: 'one\ntwo'});
		expect(await read({pbpaste: 'printf mac'}, {}, 'darwin')).toEqual({ok: true, text: 'mac'});
	});

	it('is missing when programs fail, print nothing, too much, or hang', async () => {
		expect(await read({xclip: 'exit 1'})).toEqual(none);
		expect(await read({xsel: ''})).toEqual(none);
		expect(await read({xclip: 'exec /bin/cat /dev/zero'})).toEqual(none);
		expect(await read({xclip: 'exec /bin/sleep 60'})).toEqual(none);
	});

	it('is out of reach without a desktop, and without a program', async () => {
		expect(await read({}, {})).toMatchObject({ok: false, sentence: expect.stringContaining('cannot be reached')});
		expect(await read({}, {SSH_CONNECTION: 'x'}, 'darwin')).toMatchObject({ok: false});
		expect(await read({})).toEqual({
			ok: false,
			sentence: 'No program can read the clipboard. Install xclip or xsel.',
		});
	});
});
