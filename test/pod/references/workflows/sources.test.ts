import {describe, expect, it} from 'vitest';
import {shippedWorkflows} from '../../../../src/pod/references/workflows/sources.ts';
import {own, refusal, texts, workflowProject} from './workflow-project.ts';

const doc = (body: string) => `---\ndescription: d\n---\n${body}\n`;

describe('a built-in workflow', () => {
	it.each([...shippedWorkflows.keys()])('is invoked with its arguments: /%s', async slug => {
		const made = await workflowProject({}, {omitsShipped: false});
		const [text = ''] = await texts(made.invoke(slug, 'src/a.ts'));
		expect(text.startsWith(`[Workflow /${slug}]\n`)).toBe(true);
		expect(text).toContain('src/a.ts');
		expect(text).not.toContain('$ARGUMENTS');
		expect(made.questions).toEqual([]);
	});

	it('is listed, only for the user, and invoked by a text only at the start of a message', async () => {
		const made = await workflowProject({}, {omitsShipped: false});
		expect(await made.workflows.list()).toMatchObject([
			{slug: 'init', source: 'shipped', userInvocable: true, modelInvocation: false},
			{slug: 'review', source: 'shipped', userInvocable: true, modelInvocation: false},
		]);
		expect(await made.workflows.offered()).toEqual([]);
		expect([...(await made.workflows.source.slugs())]).toEqual([
			['init', 'start'],
			['review', 'start'],
		]);
		expect(made.warnings).toEqual([]);
	});

	it('is replaced by the user’s own without a question', async () => {
		const made = await workflowProject({[`${own}/workflows/review.md`]: doc('Mine')}, {omitsShipped: false});
		expect(await texts(made.invoke('review'))).toEqual(['[Workflow /review]\nMine']);
		expect(made.questions).toEqual([]);
		expect((await made.workflows.source.slugs()).get('review')).toBe('anywhere');
	});

	it('is replaced by the project’s once the user trusts that', async () => {
		const made = await workflowProject({'.inkpod/workflows/init.md': doc('Theirs')}, {omitsShipped: false});
		made.answer = 'deny';
		expect(await refusal(made.invoke('init'))).toBe(
			'The workflow /init was not invoked: you did not trust .inkpod/workflows/init.md, ' +
				'which replaces the built-in /init.',
		);
		made.answer = 'trust';
		expect(await texts(made.invoke('init'))).toEqual(['[Workflow /init]\nTheirs']);
		expect(await texts(made.invoke('init'))).toHaveLength(1);
		expect(made.questions.map(({title}) => title)).toEqual([
			"Trust this project's files for /init? They replace the built-in /init.",
			"Trust this project's files for /init? They replace the built-in /init.",
		]);
		expect((await made.workflows.list())[0]).toMatchObject({slug: 'init', shadows: ['the built-in /init']});
		expect(made.warnings).toEqual([]);
	});

	it('is not used in place of a broken workflow with its name', async () => {
		const made = await workflowProject({'.inkpod/workflows/init.md': 'no keys'}, {omitsShipped: false});
		expect(await refusal(made.invoke('init'))).toContain('.inkpod/workflows/init.md: it has no description');
	});
});
