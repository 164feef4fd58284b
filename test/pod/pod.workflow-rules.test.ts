import {mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Rule} from '../../src/pod/permissions/approval/rule.ts';
import {call, mode, played, resultsOf} from '../helpers/played-batch.ts';
import {testPod} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, says, eventModel} from '../helpers/event-model.ts';

/** inkpod reads a project's documents without a call, so the rules for `read_file` apply to them. */
describe("a project's document that a rule forbids", () => {
	const body = '---\nname: w\ndescription: d\nmodel_invocation: true\n---\nPRIVATE\n';
	const workflow = '---\ndescription: d\nrequires: [k]\nmodel_invocation: true\n---\nopen\n';
	const documents: Readonly<Record<string, string>> = {
		'a workflow': '.inkpod/workflows/w.md',
		Knowledge: '.inkpod/knowledge/k.md',
		'a skill': '.agents/skills/w/SKILL.md',
	};
	const rule = (match: string, action: Rule['action']): Rule => ({tool: 'read_file', match, action});
	const rules: Readonly<Record<string, ReturnType<typeof mode>>> = {
		'a rule of yours that denies where its link leads': mode('auto', [rule('private/**', 'deny')]),
		'a rule of the project that denies where its link leads': mode('auto', [], [rule('private/**', 'deny')]),
		'a rule that asks where its link leads': mode('auto', [rule('private/**', 'ask')]),
		'a rule that denies its name': mode('auto', [rule('.{inkpod,agents}/**/{w,k,SKILL}.md', 'deny')]),
	};
	const cases = Object.keys(documents).flatMap(document => Object.keys(rules).map(kept => ({document, kept})));

	it.each(cases)('is not read by the model: $document, $kept', async ({document, kept}) => {
		const project = await linked(documents[document]!);
		const options = {...rules[kept]!, env: envOf(project)};
		const told = await played(project, {batch: [call('workflow', {slug: 'w'})], options});
		expect(resultsOf(told)).toMatchObject([{isError: true}]);
		expect(JSON.stringify(told.items())).not.toContain('PRIVATE');
	});

	it.each(Object.keys(documents))('is refused with the reason when you invoke it: %s', async document => {
		const project = await linked(documents[document]!);
		const options = {...rules['a rule of yours that denies where its link leads']!, env: envOf(project)};
		const told = await testPod(project, {model: eventModel(answer(says('Yes.'))), ...options});
		const sent = await told.run('/w');
		expect(JSON.stringify([sent, told.events])).toContain('a rule in config.toml denies it');
		expect(JSON.stringify(told.items())).not.toContain('PRIVATE');
	});

	it.each(Object.keys(documents))('is read when there is no such rule: %s', async document => {
		const project = await linked(documents[document]!);
		const told = await played(project, {
			batch: [call('workflow', {slug: 'w'})],
			options: {...mode('auto'), env: envOf(project)},
		});
		expect(JSON.stringify(told.items())).toContain('PRIVATE');
	});

	it('is read when it is your own, whatever the project rules say', async () => {
		const project = await tempProject({'../home/.config/inkpod/workflows/w.md': body});
		const options = {...mode('auto', [rule('**', 'deny')]), env: envOf(project)};
		const told = await played(project, {batch: [call('workflow', {slug: 'w'})], options});
		expect(JSON.stringify(told.items())).toContain('PRIVATE');
	});

	/** Creates a project whose one document is a link to a private file. */
	async function linked(document: string): Promise<TempProject> {
		const project = await tempProject({'private/file.md': body, '.inkpod/workflows/w.md': workflow});
		if (!document.includes('knowledge')) rmSync(project.path('.inkpod/workflows/w.md'));
		mkdirSync(dirname(project.path(document)), {recursive: true});
		symlinkSync(project.path('private/file.md'), project.path(document));
		return project;
	}

	const envOf = (project: TempProject) => ({HOME: join(project.dir, '../home')});
});
