import {execFileSync} from 'node:child_process';
import {appendFile, mkdir, readdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
	createPromptWriter,
	parsePrompts,
	promptFiles,
	readPromptLines,
	type StoredPrompt,
} from '../../../../src/pod/disk/prompt-history/prompt-files.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const prompt = (text: string): StoredPrompt => ({
	at: '2026-01-01T00:00:00.000Z',
	session: 'S',
	segments: [{type: 'text', text}],
});

async function folder(): Promise<string> {
	const {dir} = await tempProject();
	return dir;
}

async function textsIn(project: string): Promise<string[]> {
	const texts: string[] = [];
	for (const path of await promptFiles(project)) {
		const read = await readPromptLines(path);
		for (const found of parsePrompts(read?.bytes ?? Buffer.alloc(0)))
			for (const segment of found?.segments ?? []) if (segment.type === 'text') texts.push(segment.text);
	}
	return texts;
}

describe('the files of prompts', () => {
	it('are private, and contain one prompt in a line', async () => {
		const project = await folder();
		const writer = createPromptWriter();
		await writer.add(project, prompt('one'));
		await writer.add(project, prompt('two\nlines'));
		expect(await textsIn(project)).toEqual(['one', 'two\nlines']);
		expect((await stat(join(project, 'prompts-1.jsonl'))).mode & 0o777).toBe(0o600);
	});

	it('are bounded: a full file is left alone, and the one before it is removed', async () => {
		const project = await folder();
		const writer = createPromptWriter({maxPromptBytes: 1000, maxFileBytes: 400});
		const other = createPromptWriter({maxPromptBytes: 1000, maxFileBytes: 400});
		for (let count = 0; count < 20; count++)
			await (count % 3 === 0 ? other : writer).add(project, prompt(`p${count}`));
		const names = await readdir(project);
		expect(names.filter(name => name.startsWith('prompts-'))).toHaveLength(2);
		const texts = await textsIn(project);
		expect(texts.length).toBeGreaterThan(3);
		expect(texts).toEqual(Array.from({length: texts.length}, (_, at) => `p${20 - texts.length + at}`));
	});

	it('leave out a prompt that is too long', async () => {
		const project = await folder();
		await createPromptWriter().add(project, prompt('x'.repeat(70_000)));
		expect(await promptFiles(project)).toEqual([]);
	});

	it('keep every prompt when several writers add at once', async () => {
		const project = await folder();
		const writers = Array.from({length: 8}, () => createPromptWriter());
		await Promise.all(
			writers.map(async (writer, who) => {
				for (let count = 0; count < 50; count++) await writer.add(project, prompt(`${who}-${count}`));
			}),
		);
		expect(new Set(await textsIn(project)).size).toBe(400);
	});

	it('lose only the line that is damaged, also when it has no end', async () => {
		const project = await folder();
		const path = join(project, 'prompts-1.jsonl');
		const writer = createPromptWriter();
		await writer.add(project, prompt('one'));
		await appendFile(path, '{"at": 1}\nnot json\n[]\n{"at":"2026-01-01T00:00:00.000Z","session":"S","segm');
		await writer.add(project, prompt('two'));
		expect(await textsIn(project)).toEqual(['one', 'two']);
		await appendFile(path, '{"at":"2026-01');
		expect(await textsIn(project)).toEqual(['one', 'two']);
	});

	it('are read only as far as they grew', async () => {
		const project = await folder();
		const path = join(project, 'prompts-1.jsonl');
		const writer = createPromptWriter();
		await writer.add(project, prompt('one'));
		const first = await readPromptLines(path);
		await writer.add(project, prompt('two'));
		const second = await readPromptLines(path, first);
		expect(second?.bytes.toString()).toContain('two');
		expect(second?.bytes.toString()).not.toContain('one');
		await writeFile(path, '');
		expect(await readPromptLines(path, second)).toMatchObject({end: 0});
	});

	it('are neither read nor written through a link, and a pipe does not block', async () => {
		const project = await folder();
		await writeFile(join(project, 'elsewhere'), '');
		await symlink('elsewhere', join(project, 'prompts-1.jsonl'));
		await expect(createPromptWriter().add(project, prompt('one'))).rejects.toThrow('ELOOP');
		expect(await readFile(join(project, 'elsewhere'), 'utf8')).toBe('');
		expect(await readPromptLines(join(project, 'prompts-1.jsonl'))).toBeUndefined();
		const piped = join(project, 'piped');
		await mkdir(piped);
		execFileSync('mkfifo', [join(piped, 'prompts-1.jsonl')]);
		expect(await readPromptLines(join(piped, 'prompts-1.jsonl'))).toBeUndefined();
		await expect(createPromptWriter().add(piped, prompt('one'))).rejects.toThrow();
	});

	it('are not read if they are larger than inkpod writes them', async () => {
		const project = await folder();
		const path = join(project, 'prompts-1.jsonl');
		await writeFile(path, Buffer.alloc(9 * 1024 * 1024, '\n'));
		expect(await readPromptLines(path)).toBeUndefined();
	});

	it('need the folder of the project, which they do not create', async () => {
		const project = join(await folder(), 'missing');
		await expect(createPromptWriter().add(project, prompt('one'))).rejects.toThrow('ENOENT');
		expect(await promptFiles(project)).toEqual([]);
	});
});
