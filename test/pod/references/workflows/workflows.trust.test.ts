import {describe, expect, it} from 'vitest';
import {own, refusal, workflowProject, texts} from './workflow-project.ts';

const doc = (body: string, keys = '') => `---\ndescription: d\n${keys}---\n${body}\n`;

it('a workflow of the project that replaces nothing needs no trust', async () => {
	const made = await workflowProject({'.inkpod/workflows/w.md': doc('P')}, {unattended: true});
	expect(await texts(made.invoke('w'))).toEqual(['[Workflow /w]\nP']);
});

describe('a workflow of the project that replaces one of the user', () => {
	const files = {
		'.inkpod/workflows/w.md': doc('P', 'requires: [k]\n'),
		'.inkpod/knowledge/k.md': 'K',
		[`${own}/workflows/w.md`]: doc('U'),
	};

	it('leads to one question with its full text and its Knowledge', async () => {
		const made = await workflowProject(files);
		expect(await texts(made.invoke('w'))).toEqual(['[Workflow /w requires Knowledge #k]\nK', '[Workflow /w]\nP']);
		expect(await texts(made.invoke('w', 'again'))).toHaveLength(2);
		expect(made.questions).toEqual([
			expect.objectContaining({
				title: "Trust this project's files for /w? They replace your own /w.",
				detail: '.inkpod/workflows/w.md:\n---\ndescription: d\nrequires: [k]\n---\nP\n\n.inkpod/knowledge/k.md:\nK',
			}),
		]);
	});

	it('is previewed without a question', async () => {
		const made = await workflowProject(files);
		expect((await made.workflows.preview.invoke('w', '', new AbortController().signal)).ok).toBe(true);
		expect(made.questions).toEqual([]);
	});

	it('is refused after “No”, and asked about again the next time', async () => {
		const made = await workflowProject(files);
		made.answer = 'deny';
		expect(await made.invoke('w')).toEqual({
			ok: false,
			code: 'untrusted',
			sentence:
				'The workflow /w was not invoked: you did not trust .inkpod/workflows/w.md, which ' +
				'replaces your ~/.config/inkpod/workflows/w.md.',
		});
		made.answer = 'trust';
		expect(await texts(made.invoke('w'))).toHaveLength(2);
		expect(made.questions).toHaveLength(2);
	});

	it('is refused if no one can approve, and accepted with --trust', async () => {
		const alone = await workflowProject(files, {unattended: true});
		expect(await alone.invoke('w')).toMatchObject({
			ok: false,
			code: 'untrusted',
			sentence: expect.stringContaining('To trust the current files for this run, use --trust.'),
		});
		const flagged = await workflowProject(files, {unattended: true, acceptPresent: true});
		expect(await texts(flagged.invoke('w'))).toHaveLength(2);
		await flagged.write('.inkpod/knowledge/k.md', 'changed');
		expect((await flagged.invoke('w')).ok).toBe(false);
	});

	it('needs trust again after a change, until its text is the trusted one again', async () => {
		const made = await workflowProject(files);
		await made.invoke('w');
		await made.write('.inkpod/knowledge/k.md', 'K2');
		made.answer = 'deny';
		expect(await refusal(made.invoke('w'))).toContain('was not invoked');
		expect(made.questions[1]!.detail).toBe(
			'Changes since you trusted it:\n\n.inkpod/workflows/w.md: unchanged\n\n.inkpod/knowledge/k.md:\n' +
				'@@ -1,1 +1,1 @@\n-K\n\\ No newline at end of file\n+K2\n\\ No newline at end of file',
		);
		await made.write('.inkpod/knowledge/k.md', 'K');
		expect(await texts(made.invoke('w'))).toHaveLength(2);
		expect(made.questions).toHaveLength(2);
	});

	it('is used as shown if it is replaced during the question', async () => {
		const made = await workflowProject(files);
		const {openTrustStore} = await import('../../../../src/pod/permissions/trust/store.ts');
		const {createTrust} = await import('../../../../src/pod/permissions/trust/trust.ts');
		const {createWorkflows} = await import('../../../../src/pod/references/workflows/workflows.ts');
		const trust = createTrust({
			store: async () => openTrustStore(made.env, made.project.dir),
			acceptPresent: false,
			onProblem() {},
			async ask() {
				await made.write('.inkpod/workflows/w.md', doc('EVIL'));
				return {choice: 'trust'};
			},
		});
		const workflows = createWorkflows({
			pwd: made.project.dir,
			env: made.env,
			clock: {id: () => 'i'},
			trust,
			onWarning() {},
		});
		expect((await texts(workflows.source.invoke('w', '', new AbortController().signal))).at(-1)).toBe(
			'[Workflow /w]\nP',
		);
		made.answer = 'deny';
		expect((await made.invoke('w')).ok).toBe(false);
	});
});

it("Knowledge of the project that replaces the user's is asked about in the user's own workflow", async () => {
	const made = await workflowProject({
		[`${own}/workflows/w.md`]: doc('U', 'requires: [k, l]\n'),
		[`${own}/knowledge/k.md`]: 'mine',
		[`${own}/knowledge/l.md`]: 'mine too',
		'.inkpod/knowledge/k.md': 'theirs',
	});
	expect(await texts(made.invoke('w'))).toEqual([
		'[Workflow /w requires Knowledge #k]\ntheirs',
		'[Workflow /w requires Knowledge #l]\nmine too',
		'[Workflow /w]\nU',
	]);
	expect(made.questions).toEqual([
		expect.objectContaining({
			title: "Trust this project's files for /w? They replace your own #k.",
			detail: '.inkpod/knowledge/k.md:\ntheirs',
		}),
	]);
});

it("a skill of the project that replaces the user's workflow is asked about", async () => {
	const made = await workflowProject({
		'.agents/skills/s/SKILL.md': '---\nname: s\ndescription: d\n---\nP',
		[`${own}/workflows/s.md`]: doc('U'),
	});
	expect(await texts(made.invoke('s'))).toEqual(['[Workflow /s]\nP']);
	expect(made.questions).toHaveLength(1);
});
