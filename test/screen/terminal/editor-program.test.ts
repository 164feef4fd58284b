import {chmod, mkdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {describe, expect, onTestFinished, it} from 'vitest';
import {
	createEditedFile,
	editorSentence,
	findEditor,
	splitWords,
	type EditedFile,
} from '../../../src/screen/terminal/editor-program.ts';
import {programsIn} from '../../helpers/programs.ts';
import {tempProject} from '../../helpers/temp-project.ts';

describe('the words of an editor command', () => {
	it.each<[string, readonly string[] | undefined]>([
		['vim', ['vim']],
		['  code  --wait ', ['code', '--wait']],
		['emacsclient -t -a ""', ['emacsclient', '-t', '-a', '']],
		['"/Applications/Sub lime/bin" -w', ['/Applications/Sub lime/bin', '-w']],
		[String.raw`/opt/my\ ed 'a "b"' "c \"d\" \e"`, ['/opt/my ed', 'a "b"', String.raw`c "d" \e`]],
		['a"b c"d', ['ab cd']],
		['ed; rm -rf $HOME `x`', ['ed;', 'rm', '-rf', '$HOME', '`x`']],
		['ed "open', undefined],
		[`ed 'open`, undefined],
		['ed \\', undefined],
		['', []],
	])('%j are %j', (command, words) => {
		expect(splitWords(command)).toEqual(words);
	});
});

describe('the editor', () => {
	it('is $VISUAL, otherwise $EDITOR, and a blank value counts as unset', () => {
		const find = (name: string) => `/bin/${name}`;
		expect(findEditor({env: {VISUAL: 'code --wait', EDITOR: 'vi'}, find})).toEqual(['/bin/code', '--wait']);
		expect(findEditor({env: {VISUAL: ' ', EDITOR: 'vi'}, find})).toEqual(['/bin/vi']);
	});

	it.each(['ed -x', './ed', 'bin/ed'])('is not found in a relative directory when it is %j', async command => {
		const project = await tempProject();
		await chmod(await project.write('bin/ed', ''), 0o755);
		const path = relative(process.cwd(), project.path('bin'));
		expect(findEditor(programsIn({PATH: `${path}:.`, EDITOR: command}))).toEqual({
			reason: 'not_found',
			program: command.split(' ')[0],
		});
	});

	it('may have a space in its path', async () => {
		const project = await tempProject();
		const program = await project.write('my editor', '');
		await chmod(program, 0o755);
		expect(findEditor(programsIn({EDITOR: program}))).toEqual([program]);
	});

	it('is an installed program by default, if there is one', async () => {
		const project = await tempProject({'bin/': '', 'empty/': ''});
		const program = await project.write('bin/vi', '');
		await chmod(program, 0o755);
		expect(findEditor(programsIn({PATH: `.:${project.path('empty')}:${dirname(program)}`}))).toEqual([program]);
		expect(findEditor(programsIn({PATH: project.path('empty')}))).toEqual({reason: 'none'});
	});

	it.each(['ed "', '""', `'' x`])('is reported as missing: %j', command => {
		const found = findEditor(programsIn({EDITOR: command}));
		expect(found).toEqual({reason: 'quotes', command});
		expect(editorSentence({reason: 'quotes', command})).toMatch(/ The message is unchanged\.$/);
	});
});

describe('the file for an external editor', () => {
	async function made(text: string): Promise<{readonly file: EditedFile; readonly path: string}> {
		const project = await tempProject();
		const file = createEditedFile(text);
		onTestFinished(() => file.dispose());
		const record = project.path('path');
		expect(
			await file.run(
				[process.execPath, '-e', `require('fs').writeFileSync(${JSON.stringify(record)}, process.argv.at(-1))`],
				process.env,
			),
		).toBeUndefined();
		return {file, path: await readFile(record, 'utf8')};
	}

	it('is private, ends with a newline, and is deleted afterwards', async () => {
		const {file, path} = await made('日本 draft');
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
		expect(await readFile(path, 'utf8')).toBe('日本 draft\n');
		expect(file.read()).toEqual({ok: false, problem: {reason: 'unchanged'}});
		file.dispose();
		await expect(stat(dirname(path))).rejects.toThrow('ENOENT');
	});

	it.each<[string, string | Uint8Array, unknown]>([
		['one', 'two\n', {ok: true, text: 'two'}],
		['one', 'two', {ok: true, text: 'two'}],
		['one', 'two\n\n', {ok: true, text: 'two\n'}],
		['one\n', 'two\n', {ok: true, text: 'two\n'}],
		['one', '\ufefftwo\r\nthree\r\n', {ok: true, text: 'two\nthree'}],
		['one', '', {ok: true, text: ''}],
		['', '\n', {ok: true, text: ''}],
		['one', new Uint8Array([0xe6, 0x97]), {ok: false, problem: {reason: 'binary'}}],
	])('is read back: %j became %j', async (text, left, expected) => {
		const {file, path} = await made(text);
		await writeFile(path, left);
		expect(file.read()).toEqual(expected);
	});

	it('is not read when it has become too large', async () => {
		const {file, path} = await made('one');
		await writeFile(path, 'x'.repeat(10 * 1024 * 1024 + 1));
		expect(file.read()).toEqual({ok: false, problem: {reason: 'too_large'}});
	});

	it('is refused when it has become a directory', async () => {
		const {file, path} = await made('one');
		await rm(path);
		await mkdir(path);
		expect(file.read()).toEqual({ok: false, problem: {reason: 'binary'}});
	});

	it.each([
		[[join('/nowhere', 'ed')] as const, 'was not found'],
		[['/etc/passwd'] as const, 'No permission to run'],
		[['/etc/passwd/ed'] as const, 'Cannot open the text in the editor: spawn ENOTDIR'],
		[[process.execPath, '-e', 'process.exit(7)'] as const, 'ended with exit 7'],
		[[process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")'] as const, 'ended with SIGKILL'],
	])('comes with a report of the outcome when the editor is %j', async (command, sentence) => {
		const {file} = await made('one');
		expect(editorSentence((await file.run(command, process.env))!)).toContain(sentence);
	});
});
