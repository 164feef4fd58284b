import {appendFile, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
	createPromptWriter,
	type StoredPrompt,
	type StoredUse,
} from '../../../../src/pod/disk/prompt-history/prompt-files.ts';
import {createUsedNames, mostUsed} from '../../../../src/pod/disk/prompt-history/used-names.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const at = '2026-01-01T00:00:00.000Z';
const use = (command: string): StoredUse => ({at, session: 'S', command});
const invoke = (slug: string): StoredPrompt => ({at, session: 'S', segments: [{type: 'workflow', slug}]});

async function projectWith(stored: ReadonlyArray<StoredPrompt | StoredUse>) {
	const {dir} = await tempProject();
	const project = join(dir, 'here');
	await mkdir(project);
	const writer = createPromptWriter();
	const add = async (each: StoredPrompt | StoredUse) => writer.add(project, each);
	for (const each of stored) await add(each);
	return {project, add, names: createUsedNames(() => project)};
}

describe('the names that a user uses', () => {
	it('are those of commands and workflows, the most used one first', async () => {
		const {names} = await projectWith([
			use('model'),
			invoke('review'),
			use('context'),
			invoke('review'),
			use('cost'),
		]);
		expect(await names()).toEqual(['review', 'cost', 'context', 'model']);
	});

	it('include what was added since, and leave out damaged lines', async () => {
		const {project, add, names} = await projectWith([use('model')]);
		expect(await names()).toEqual(['model']);
		await add(use('cost'));
		await appendFile(join(project, 'prompts-1.jsonl'), '{"at":"x"}\n{"command":"\u001b[2J"}\nnot json\n');
		await add(use('cost'));
		expect(await names()).toEqual(['cost', 'model']);
	});

	it('are empty for a project without prompts', async () => {
		expect(await createUsedNames(() => '/missing')()).toEqual([]);
	});

	it('count less the older they are', () => {
		const old = Array.from({length: 60}, () => 'old');
		expect(mostUsed([...old, ...Array.from({length: 80}, () => 'new')])).toEqual(['new', 'old']);
		expect(mostUsed([...old, 'new'])).toEqual(['old', 'new']);
	});
});
