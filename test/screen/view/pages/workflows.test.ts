import {describe, expect, it} from 'vitest';
import type {WorkflowInfo} from '../../../../src/pod/protocol.ts';
import {shadowedSentences} from '../../../../src/screen/model/commands/commands.ts';
import {workflowsPage} from '../../../../src/screen/view/pages/workflows.ts';
import {fakeApp, fakePod, until} from '../../../helpers/fake-app.ts';

const review: WorkflowInfo = {
	slug: 'review',
	description: 'Review a change',
	source: 'project',
	file: '.inkpod/workflows/review.md',
	userInvocable: true,
	modelInvocation: true,
	requires: ['style', 'api'],
};
const all: readonly WorkflowInfo[] = [
	review,
	{
		...review,
		slug: 'tidy',
		userInvocable: false,
		requires: [],
		source: 'skill',
		file: '~/.agents/skills/tidy/SKILL.md',
	},
	{
		...review,
		slug: 'odd',
		userInvocable: false,
		modelInvocation: false,
		requires: [],
		remarks: ['has a key "colour" that is not known'],
		shadows: ['~/.config/inkpod/workflows/odd.md'],
	},
	{...review, slug: 'bad', description: '', error: 'its frontmatter has no \u001b[31mdescription'},
];

function linesOf(workflows: readonly WorkflowInfo[]): string[] {
	return workflowsPage(workflows).lines.map(
		({lead, spans}) => (lead?.text ?? '') + spans.map(span => span.text).join(''),
	);
}

describe('the list of workflows', () => {
	it('shows who may invoke each workflow, its requirements, its file, and its errors', () => {
		expect(linesOf(all)).toEqual([
			'',
			'Available',
			'  /review    Review a change',
			'             requires #style, #api · the model can invoke it too · .inkpod/workflows/review.md',
			'',
			'Invoked by the model only',
			'  /tidy      Review a change',
			'             ~/.agents/skills/tidy/SKILL.md · skill',
			'',
			'Disabled',
			'  /odd       Review a change',
			'             .inkpod/workflows/review.md',
			'             ▲ has a key "colour" that is not known',
			'             ▲ overrides ~/.config/inkpod/workflows/odd.md',
			'',
			'Broken',
			'  /bad       × its frontmatter has no ␛[31mdescription',
			'             requires #style, #api · .inkpod/workflows/review.md',
		]);
	});

	it('explains how to invoke a workflow with the name of a command', () => {
		const help = {...review, slug: 'help', file: '.inkpod/workflows/help.md'};
		expect(linesOf([help]).at(-1)).toContain(
			'a command has this name: type a space before it to invoke the workflow',
		);
		expect(shadowedSentences([review, help, {...help, error: 'broken'}, {...help, userInvocable: false}])).toEqual([
			'/help is a built-in command. To invoke the workflow .inkpod/workflows/help.md, type a space before it.',
		]);
	});

	it('explains how to create a workflow when there are none', () => {
		const builtIn: WorkflowInfo = {...review, source: 'shipped', file: 'the built-in /review', requires: []};
		const lines = linesOf([{...builtIn, modelInvocation: false}]);
		expect(lines.slice(0, 4)).toEqual(['', 'Available', '  /review    Review a change', '             built in']);
		expect(lines.join('\n')).toContain('.inkpod/workflows/NAME.md');
		expect(linesOf([builtIn, review]).join('\n')).not.toContain('.inkpod/workflows/NAME.md');
	});

	it('shows the current list on /workflows in place of the transcript', async () => {
		const {pod, workflows} = {pod: fakePod(), workflows: [...all]};
		const {type, press, rows} = await fakeApp({...pod, workflows: async () => workflows}, {});
		type('/workflows');
		press('enter');
		await until(() => rows().length >= 5);
		expect(rows()[0]).toMatch(/^Workflows/);
		expect(rows().join('\n')).toContain('/review');
	});
});
