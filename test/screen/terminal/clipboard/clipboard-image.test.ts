import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, it} from 'vitest';
import {findProgram} from '../../../../src/pod/platform/programs.ts';
import {readClipboardImage} from '../../../../src/screen/terminal/clipboard/clipboard-image.ts';
import {png} from '../../../helpers/images.ts';
import {programsIn} from '../../../helpers/programs.ts';

async function folderOf(programs: Readonly<Record<string, string>>): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-clipboard-'));
	onTestFinished(async () => rm(dir, {recursive: true}));
	await writeFile(join(dir, 'image'), png(3, 2));
	for (const [name, body] of Object.entries(programs)) {
		await writeFile(join(dir, name), `#!/bin/sh\n${body}\n`);
		await chmod(join(dir, name), 0o755);
	}
	return dir;
}

async function read(
	dir: string,
	env: Readonly<Record<string, string>>,
	platform: NodeJS.Platform = 'linux',
	timeoutMs = 30_000,
) {
	return readClipboardImage({platform, programs: programsIn({PATH: dir, DIR: dir, ...env}), timeoutMs});
}

const image = {ok: true, data: png(3, 2).toString('base64')};
const none = {ok: false, sentence: 'The clipboard contains no image.'};

describe('the image in the clipboard', () => {
	it('is what the first program prints that has one, in any format', async () => {
		const xclip = 'echo "$@" >> "$DIR/calls"; test "$4" = image/jpeg && exec /bin/cat "$DIR/image"; exit 1';
		const dir = await folderOf({'wl-paste': 'exit 1', xclip});
		expect(await read(dir, {WAYLAND_DISPLAY: 'w', DISPLAY: ':0'})).toEqual(image);
		expect(await readFile(join(dir, 'calls'), 'utf8')).toBe(
			'-selection clipboard -t image/png -o\n-selection clipboard -t image/jpeg -o\n',
		);
	});

	it('is decoded from what AppleScript prints', async () => {
		const hex = png(3, 2).toString('hex').toUpperCase();
		const dir = await folderOf({osascript: `echo '«data PNGf${hex}»'`});
		expect(await read(dir, {}, 'darwin')).toEqual(image);
		expect(await read(await folderOf({osascript: 'echo nothing'}), {}, 'darwin')).toEqual(none);
	});

	it('is missing when programs fail, print nothing, or hang', async () => {
		expect(await read(await folderOf({xclip: 'exit 1'}), {DISPLAY: ':0'})).toEqual(none);
		expect(await read(await folderOf({xclip: ''}), {DISPLAY: ':0'})).toEqual(none);
		const started = performance.now();
		expect(await read(await folderOf({xclip: 'exec /bin/sleep 60'}), {DISPLAY: ':0'}, 'linux', 500)).toEqual(none);
		expect(performance.now() - started).toBeLessThan(20_000);
	});

	it('is refused when it is too large, without reading all of it', async () => {
		const dir = await folderOf({xclip: 'exec /bin/cat /dev/zero'});
		expect(await read(dir, {DISPLAY: ':0'})).toEqual({
			ok: false,
			sentence: 'The image in the clipboard is larger than 24 MB.',
		});
	});

	it('is never read by a program of the project', async () => {
		const dir = await folderOf({xclip: 'echo "$DIR" > "$DIR/ran"; exec /bin/cat "$DIR/image"'});
		const programs = {
			...programsIn({PATH: dir, DISPLAY: ':0'}),
			find: (name: string) => findProgram(name, dir, dir),
		};
		expect(await readClipboardImage({platform: 'linux', programs})).toEqual({
			ok: false,
			sentence: 'No program can read the clipboard. Install xclip.',
		});
		await expect(readFile(join(dir, 'ran'))).rejects.toMatchObject({code: 'ENOENT'});
	});

	it('has no program to read it without a display, or over SSH', async () => {
		const dir = await folderOf({xclip: 'exit 0', pngpaste: 'exit 0'});
		const sentence = 'The clipboard of your desktop cannot be reached from here. Attach a file with @ instead.';
		expect(await read(dir, {})).toEqual({ok: false, sentence});
		expect(await read(dir, {SSH_CONNECTION: 'a'}, 'darwin')).toEqual({ok: false, sentence});
	});
});
