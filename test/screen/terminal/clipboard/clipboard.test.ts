import {chmod, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, it} from 'vitest';
import {findProgram} from '../../../../src/pod/platform/programs.ts';
import {clipboardRequest, copyText, maxForTerminal} from '../../../../src/screen/terminal/clipboard/clipboard.ts';
import {clipboardPrograms} from '../../../../src/screen/terminal/clipboard/clipboard-programs.ts';
import {programsIn} from '../../../helpers/programs.ts';

/** Returns a folder with programs that is the whole PATH. */
async function folderOf(programs: Readonly<Record<string, string>>): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-clipboard-'));
	onTestFinished(async () => rm(dir, {recursive: true}));
	for (const [name, body] of Object.entries(programs)) {
		await writeFile(join(dir, name), `#!/bin/sh\n${body}\n`);
		await chmod(join(dir, name), 0o755);
	}
	return dir;
}

describe('a copied text', () => {
	it('goes to the first program that takes it, as a whole and without a shell', async () => {
		const dir = await folderOf({'wl-copy': 'exit 1', xclip: '/bin/cat > "$OUT"; echo "$@" >> "$OUT"'});
		const text = `$(touch x) 'q' 日本 ${'y'.repeat(300_000)}`;
		const written: string[] = [];
		const env = {PATH: dir, OUT: join(dir, 'out'), WAYLAND_DISPLAY: 'w', DISPLAY: ':0'};
		expect(
			await copyText(text, {platform: 'linux', programs: programsIn(env), write: bytes => written.push(bytes)}),
		).toEqual({ok: true, by: 'program', program: 'xclip'});
		expect(await readFile(env.OUT, 'utf8')).toBe(`${text}-selection clipboard\n`);
		expect(written).toEqual([]);
	});

	it('counts as copied when a program does not read it', async () => {
		const dir = await folderOf({xclip: 'exec 0<&-; exit 3'});
		const written: string[] = [];
		expect(
			await copyText('z'.repeat(70_000), {
				platform: 'linux',
				programs: programsIn({PATH: dir, DISPLAY: ':0'}),
				write: bytes => written.push(bytes),
			}),
		).toEqual({ok: true, by: 'terminal'});
		expect(written).toHaveLength(1);
	});

	it('goes to the terminal when the system refuses to start the program', async () => {
		const dir = await folderOf({});
		await symlink('xclip', join(dir, 'xclip'));
		const written: string[] = [];
		expect(
			await copyText('a', {
				platform: 'linux',
				programs: programsIn({PATH: dir, DISPLAY: ':0'}),
				write: bytes => written.push(bytes),
			}),
		).toEqual({ok: true, by: 'terminal'});
		expect(written).toHaveLength(1);
	});

	it('goes to the terminal when the program is inside the project', async () => {
		const dir = await folderOf({xclip: 'exit 0'});
		const env = {PATH: `.:${dir}`, DISPLAY: ':0'};
		const programs = {env, find: (name: string) => findProgram(name, env.PATH, dir)};
		expect(await copyText('a', {platform: 'linux', programs, write() {}})).toEqual({ok: true, by: 'terminal'});
	});

	it('goes to the terminal when there is no program', async () => {
		const written: string[] = [];
		expect(
			await copyText('é', {
				platform: 'linux',
				programs: programsIn({PATH: '/nowhere'}),
				write: bytes => written.push(bytes),
			}),
		).toEqual({ok: true, by: 'terminal'});
		expect(written).toEqual(['\x1b]52;c;w6k=\x07']);
	});

	it('is not sent when it is too long for the terminal, and an alert explains it', async () => {
		const copied = await copyText('x'.repeat(maxForTerminal), {
			platform: 'linux',
			programs: programsIn({PATH: '/nowhere'}),
			write: () => expect.unreachable(),
		});
		expect(copied).toMatchObject({ok: false, sentence: expect.stringContaining('100 KB') as unknown});
	});
});

it('a text for the clipboard is wrapped for tmux when inkpod runs in tmux', () => {
	expect(clipboardRequest('a', {TMUX: '/tmp/s,1,0'})).toBe('\x1bPtmux;\x1b\x1b]52;c;YQ==\x07\x1b\\');
});

it.each([
	['darwin', {}, ['pbcopy']],
	['darwin', {SSH_CONNECTION: '1.2.3.4'}, []],
	['linux', {}, []],
	['linux', {DISPLAY: ':0'}, ['xclip', 'xsel']],
	['linux', {WAYLAND_DISPLAY: 'w', DISPLAY: ''}, ['wl-copy']],
	['linux', {WSL_DISTRO_NAME: 'Debian'}, ['clip.exe']],
] as const)('a copied text goes on %s with %j to %j', (platform, env, names) => {
	expect(clipboardPrograms(env, platform).copy.map(([name]) => name)).toEqual(names);
});
