import {describe, expect, it} from 'vitest';
import {readImported} from '../../../../src/pod/references/workflows/document.ts';
import {maxEntriesPerFolder} from '../../../../src/pod/references/workflows/document-index.ts';
import {own, refusal, texts, workflowProject} from './workflow-project.ts';

const meta = (text: string, kind: 'command' | 'skill' = 'command') => {
	const read = readImported(text, kind);
	return read.ok ? read.meta : read.problem;
};

describe('the frontmatter of a command for another agent', () => {
	it.each<[string, string, string]>([
		['a plain text', 'description: Fix: the "bug" #12 # note', 'Fix: the "bug"'],
		['a quoted text', 'description: "Fix: it # now"', 'Fix: it # now'],
		['a block', 'description: >-\n  Two\n  lines\nmodel: x', 'Two lines'],
		['a continued line', 'description: Two\n  lines', 'Two lines'],
		['beside text that is not YAML', 'argument-hint: [a] [b] | [c\ndescription: Right', 'Right'],
		['after a list', 'allowed-tools:\n- Bash(git: *)\n- Read\ndescription: Right', 'Right'],
	])('has a description: %s', (_, yaml, description) => {
		expect(meta(`---\n${yaml}\n---\nBody`)).toMatchObject({description});
	});

	it('may be absent: the first line of the text is the description', () => {
		expect(meta('<!-- a\nb -->\n\n# Fix an issue\nText')).toMatchObject({description: 'Fix an issue'});
		expect(meta('---\nmodel: x\n---\n\n')).toBe('it has neither a description nor text');
		expect(meta('---\ndescription: x')).toBe('its frontmatter has no closing --- line');
	});

	it('decides who may invoke a skill, and never lets the model invoke a command', () => {
		expect(meta('---\ndescription: d\n---\n', 'skill')).toMatchObject({userInvocable: true, modelInvocation: true});
		const closed = '---\ndescription: d\nuser-invocable: false\ndisable-model-invocation: true\n---\n';
		expect(meta(closed, 'skill')).toMatchObject({userInvocable: false, modelInvocation: false});
		expect(meta('---\ndescription: d\n---\n')).toMatchObject({modelInvocation: false});
	});

	it('leads to one remark about all that has no effect', () => {
		const yaml = 'description: d\nallowed-tools: Bash(git add:*)\nmodel: opus\nargument-hint: [x]';
		expect(meta(`---\n${yaml}\n---\n- Status: !\`git status\`\nSee @src/a.ts and $1, $ARGUMENTS.`)).toMatchObject({
			remarks: [
				'inkpod uses only its text and $ARGUMENTS; these keys have no effect: ' +
					'allowed-tools, model, !command, @file, $1',
			],
		});
		expect(meta('---\nname: x\ndescription: d\n---\nMail a@b.c! Costs $ARGUMENTS.')).toMatchObject({remarks: []});
	});

	it('takes no longer for hostile texts', () => {
		const start = performance.now();
		for (const part of ['<!--', '#', '"', '!`', ' @', 'a: ', '\n'])
			readImported(`---\n${part.repeat(2000)}\n---\n${part.repeat(60_000)}`, 'command');
		expect(performance.now() - start).toBeLessThan(2000);
	});
});

describe('commands and skills for other agents', () => {
	const claude = '.claude/commands/fix.md';
	it('are workflows: the text with its arguments, and nothing else', async () => {
		const made = await workflowProject({
			[claude]: '---\nallowed-tools: Bash(*)\n---\n!`touch x`\n@secret.txt\nFix $ARGUMENTS.\n',
			'secret.txt': 'secret',
		});
		await made.workflows.preview.invoke('fix', '', new AbortController().signal);
		expect(made.warnings).toEqual([]);
		expect(await texts(made.invoke('fix', '#12'))).toEqual(['[Workflow /fix]\n!`touch x`\n@secret.txt\nFix #12.']);
		await made.invoke('fix');
		expect(made.warnings).toEqual([
			'.claude/commands/fix.md: inkpod uses only its text and $ARGUMENTS; these keys have no effect: ' +
				'allowed-tools, !command, @file.',
		]);
	});

	it('rank below the workflows of the same level, and the project before the user', async () => {
		const places = [
			'.inkpod/workflows/fix.md',
			'.agents/skills/fix/SKILL.md',
			claude,
			'.claude/skills/fix/SKILL.md',
			'.opencode/command/fix.md',
			'.opencode/commands/fix.md',
			`${own}/workflows/fix.md`,
			'~/.agents/skills/fix/SKILL.md',
			'~/.claude/commands/fix.md',
			'~/.claude/skills/fix/SKILL.md',
			'~/.config/opencode/command/fix.md',
			'~/.config/opencode/commands/fix.md',
		];
		for (const [index, place] of places.entries()) {
			const left = places.slice(index).map(each => [each, `---\nname: fix\ndescription: d\n---\n${each}\n`]);
			const made = await workflowProject(Object.fromEntries(left));
			expect(await texts(made.invoke('fix'))).toEqual([`[Workflow /fix]\n${place}`]);
		}
	});

	it('of the project need trust when they replace one of the user', async () => {
		const made = await workflowProject({[claude]: 'Theirs', '~/.claude/commands/fix.md': 'Mine'});
		made.answer = 'deny';
		expect(await refusal(made.invoke('fix'))).toContain(
			'.claude/commands/fix.md, which replaces your ~/.claude/commands/fix.md',
		);
		made.answer = 'trust';
		expect(await texts(made.invoke('fix'))).toEqual(['[Workflow /fix]\nTheirs']);
		await made.write(claude, 'Changed');
		await made.invoke('fix');
		expect(made.questions).toHaveLength(3);
	});

	it('are listed without alerts, those with other names as broken', async () => {
		const made = await workflowProject({
			[claude]: '---\nmodel: x\n---\nFix it',
			'.claude/commands/My_Command.md': 'Text',
			'.claude/commands/team/deep.md': 'Text',
			'.claude/skills/tidy/SKILL.md': '---\ndescription: Tidy up\nmodel: x\n---\n',
		});
		expect(await made.workflows.list()).toMatchObject([
			{slug: 'fix', description: 'Fix it', source: 'project', file: claude, remarks: [expect.any(String)]},
			{slug: 'tidy', source: 'skill', modelInvocation: true},
			{slug: 'My_Command', error: expect.stringContaining('not a slug')},
		]);
		expect(await made.workflows.offered()).toEqual([
			{slug: 'tidy', description: 'Tidy up', folder: '.claude/skills/tidy'},
		]);
		expect(made.warnings).toEqual([]);
	});

	it('are not read through a link that leads out of the project, and only the first 500 are', async () => {
		const made = await workflowProject(
			Object.fromEntries(
				Array.from({length: maxEntriesPerFolder + 5}, (_, index) => [`.opencode/command/c${index}.md`, 'x']),
			),
		);
		await made.write('../outside/fix.md', 'secret');
		await made.project.link('.claude/commands', '../../outside');
		expect((await made.workflows.list()).length).toBe(maxEntriesPerFolder);
		expect(await refusal(made.invoke('fix'))).toContain('a link that leads out of the project');
		expect(made.warnings).toEqual(
			expect.arrayContaining([
				'No documents read from .claude/commands: it is a link that leads outside the project.',
				'Only 500 of the 505 entries in .opencode/command are used.',
			]),
		);
	});
});
