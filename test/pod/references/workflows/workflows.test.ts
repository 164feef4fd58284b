import {execFileSync} from 'node:child_process';
import {rm, symlink} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {maxDocumentBytes} from '../../../../src/pod/references/workflows/document.ts';
import {own, refusal, workflowProject, texts} from './workflow-project.ts';

const review = '---\ndescription: Review code\nrequires: [style, api]\n---\nLook at $ARGUMENTS.\n\n';
const style = '---\ndescription: Style\n---\nTabs.\n';

describe('the invocation of a workflow', () => {
	it('commits the required documents in order and then the body, with one invocation id', async () => {
		const made = await workflowProject({
			'.inkpod/workflows/review.md': review,
			'.inkpod/knowledge/api.md': 'No frontmatter.  \n\n',
			[`${own}/knowledge/style.md`]: style,
		});
		const invoked = await made.invoke('review', 'src/$ARGUMENTS $& here');
		expect(invoked).toEqual({
			ok: true,
			id: 'i0001',
			workflow: expect.anything(),
			drafts: [
				{
					type: 'message',
					role: 'system',
					text: '[Workflow /review requires Knowledge #style]\nTabs.',
					origin: {kind: 'knowledge', slug: 'style', workflow: 'review', invocation: 'i0001'},
				},
				{
					type: 'message',
					role: 'system',
					text: '[Workflow /review requires Knowledge #api]\nNo frontmatter.',
					origin: {kind: 'knowledge', slug: 'api', workflow: 'review', invocation: 'i0001'},
				},
				{
					type: 'message',
					role: 'system',
					text: '[Workflow /review]\nLook at src/$ARGUMENTS $& here.',
					origin: {
						kind: 'workflow',
						slug: 'review',
						invocation: 'i0001',
						arguments: 'src/$ARGUMENTS $& here',
					},
				},
			],
		});
		expect(made.questions).toEqual([]);
	});

	it.each<[string, string, string, string]>([
		[
			'replaces every $ARGUMENTS in one pass',
			'a $ARGUMENTS b $ARGUMENTS',
			'x$ARGUMENTS',
			'a x$ARGUMENTS b x$ARGUMENTS',
		],
		['removes $ARGUMENTS when there are no arguments', 'a $ARGUMENTS', '', 'a'],
		['does not replace a longer name', '$ARGUMENTS_LIST', 'x', '$ARGUMENTS_LIST'],
		['leaves arguments in the message when the body has no place for them', 'body', 'x', 'body'],
		['accepts an empty body', '', '', ''],
		['accepts a line of dashes in the body', 'a\n---\nb', '', 'a\n---\nb'],
		['keeps a blank line before the body', '\nbody', '', '\nbody'],
	])('%s', async (_, body, args, expected) => {
		const made = await workflowProject({'.inkpod/workflows/w.md': `---\ndescription: d\n---\n${body}`});
		expect(await texts(made.invoke('w', args))).toEqual([`[Workflow /w]\n${expected}`]);
	});

	it('refuses arguments that would exceed the limit', async () => {
		const made = await workflowProject({
			'.inkpod/workflows/w.md': `---\ndescription: d\n---\n${'$ARGUMENTS'.repeat(10_000)}`,
		});
		expect(await refusal(made.invoke('w', 'x'.repeat(100_000)))).toBe(
			'The workflow /w cannot be invoked: with its arguments inserted, .inkpod/workflows/w.md ' +
				'would be longer than 1048576 characters.',
		);
	});

	it('uses each required document once, and does not follow their own requires', async () => {
		const made = await workflowProject({
			'.inkpod/workflows/w.md': '---\ndescription: d\nrequires: [a, a]\n---\n',
			'.inkpod/knowledge/a.md': '---\ndescription: d\nrequires: [b]\n---\nA',
		});
		expect(await texts(made.invoke('w'))).toEqual(['[Workflow /w requires Knowledge #a]\nA', '[Workflow /w]\n']);
	});

	it('removes a BOM and CRLF', async () => {
		const made = await workflowProject({
			'.inkpod/workflows/w.md': '\uFEFF---\r\ndescription: d\r\n---\r\na\r\nb\r\n',
		});
		expect(await texts(made.invoke('w'))).toEqual(['[Workflow /w]\na\nb']);
	});

	it('is refused after an abort', async () => {
		const made = await workflowProject({'.inkpod/workflows/w.md': '---\ndescription: d\n---\n'});
		expect((await made.workflows.source.invoke('w', '', AbortSignal.abort())).ok).toBe(false);
	});
});

describe('a refused workflow', () => {
	const start = 'The workflow /w cannot be invoked: ';
	const requires = '---\ndescription: d\nrequires: [k]\n---\n';
	it.each<[string, Readonly<Record<string, string | Uint8Array>>, string]>([
		[
			'missing Knowledge',
			{'.inkpod/workflows/w.md': requires},
			'it requires Knowledge #k, and there is no file .inkpod/knowledge/k.md or ~/.config/inkpod/knowledge/k.md.',
		],
		[
			'names Knowledge that is not text',
			{'.inkpod/workflows/w.md': requires, '.inkpod/knowledge/k.md': Buffer.from([0xff, 0xfe, 0, 0xd8])},
			'it requires Knowledge #k, but .inkpod/knowledge/k.md cannot be used: it is not valid UTF-8 text.',
		],
		[
			'names broken Knowledge of the project instead of using the user’s',
			{'.inkpod/workflows/w.md': requires, '.inkpod/knowledge/k.md': '---\n', [`${own}/knowledge/k.md`]: 'ok'},
			'it requires Knowledge #k, but .inkpod/knowledge/k.md cannot be used: its frontmatter has no closing --- line.',
		],
		[
			'names a folder in place of a file',
			{'.inkpod/workflows/w.md/': ''},
			'.inkpod/workflows/w.md: it is a directory, not a file.',
		],
		[
			'names a file without frontmatter',
			{'.inkpod/workflows/w.md': 'Just text.'},
			'.inkpod/workflows/w.md: it has no description.',
		],
		[
			'names a broken workflow of the project instead of using the user’s',
			{'.inkpod/workflows/w.md': 'Just text.', [`${own}/workflows/w.md`]: requires},
			'.inkpod/workflows/w.md: it has no description.',
		],
		[
			'names a workflow that is only for the model',
			{'.inkpod/workflows/w.md': '---\ndescription: d\nuser_invocable: false\n---\n'},
			'.inkpod/workflows/w.md sets user_invocable: false.',
		],
		[
			'names a file that is too large',
			{'.inkpod/workflows/w.md': `---\ndescription: d\n---\n${'x'.repeat(maxDocumentBytes)}`},
			'.inkpod/workflows/w.md: it is larger than 262144 bytes.',
		],
	])('has a reason: %s', async (_, files, expected) => {
		const made = await workflowProject(files);
		expect(await refusal(made.invoke('w'))).toBe(start + expected);
		expect([...(await made.workflows.source.slugs()).keys()]).toEqual(['w']);
	});

	it('is not opened when it is a FIFO', async () => {
		const made = await workflowProject({'.inkpod/workflows/': ''});
		execFileSync('mkfifo', [made.project.path('.inkpod/workflows/w.md')]);
		expect(await refusal(made.invoke('w'))).toBe(
			`${start}.inkpod/workflows/w.md: it is a FIFO, a device or a socket, not a file.`,
		);
	});
});

describe('links to workflow documents', () => {
	it('are refused in a project when they lead to files and folders outside', async () => {
		const made = await workflowProject({
			'../outside/w.md': '---\ndescription: d\n---\nOUT',
			'../outside/SKILL.md': '---\nname: s\ndescription: d\n---\n',
		});
		await made.project.link('.inkpod/workflows/w.md', '../../../outside/w.md');
		await made.project.link('.agents/skills/s', '../../../outside');
		expect(await refusal(made.invoke('w'))).toContain(
			'.inkpod/workflows/w.md: its path contains a link that leads out of the project.',
		);
		expect([...(await made.workflows.source.slugs()).keys()]).toEqual(['w']);
		await rm(made.project.path('.inkpod/workflows'), {recursive: true});
		await symlink('../../outside', made.project.path('.inkpod/workflows'));
		expect([...(await made.workflows.source.slugs()).keys()]).toEqual([]);
		expect(made.warnings.join('\n')).toContain(
			'No documents read from .inkpod/workflows: it is a link that leads outside the project.',
		);
		expect(made.warnings.join('\n')).toContain(
			'Skill .agents/skills/s/SKILL.md is ignored: its path contains a link that leads out of the project.',
		);
	});

	it('are refused in a project when they lead to secrets', async () => {
		const made = await workflowProject({'.env': '---\ndescription: d\n---\nKEY'});
		await made.project.link('.inkpod/workflows/w.md', '../../.env');
		expect(await refusal(made.invoke('w'))).toContain('it leads to a file that looks like a secret');
	});

	it("may lead anywhere in the user's folder", async () => {
		const made = await workflowProject({'../dotfiles/w.md': '---\ndescription: d\n---\nMine'});
		await made.project.link('../home/.config/inkpod/workflows', '../../../dotfiles');
		expect(await texts(made.invoke('w'))).toEqual(['[Workflow /w]\nMine']);
	});
});

describe('SKILL.md folders', () => {
	const skill =
		'---\nname: pdf\ndescription: Reads PDFs\nlicense: MIT\nmetadata:\n  requires: "a, b"\n---\nUse scripts/x.\n';

	it('are workflows that the model may invoke, with the Knowledge of their metadata', async () => {
		const made = await workflowProject({
			'.agents/skills/pdf/SKILL.md': skill,
			'.inkpod/knowledge/a.md': 'A',
			[`${own}/knowledge/b.md`]: 'B',
		});
		expect(await texts(made.invoke('pdf'))).toEqual([
			'[Workflow /pdf requires Knowledge #a]\nA',
			'[Workflow /pdf requires Knowledge #b]\nB',
			'[Workflow /pdf]\nUse scripts/x.',
		]);
		expect(await made.workflows.offered()).toEqual([
			{slug: 'pdf', description: 'Reads PDFs', folder: '.agents/skills/pdf'},
		]);
		expect(made.warnings).toEqual([]);
	});

	it('are skipped with a warning if broken, and another one with the same name is used', async () => {
		const made = await workflowProject({
			'.agents/skills/pdf/SKILL.md': '---\nname: pdf\n---\n',
			'~/.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Mine\n---\nMine',
			'.agents/skills/notes.txt': '',
			'.agents/skills/empty/': '',
		});
		expect(await texts(made.invoke('pdf'))).toEqual(['[Workflow /pdf]\nMine']);
		expect(await made.workflows.list()).toMatchObject([
			{slug: 'pdf', source: 'skill', file: '~/.agents/skills/pdf/SKILL.md'},
			{slug: 'pdf', source: 'skill', file: '.agents/skills/pdf/SKILL.md', error: 'it has no description'},
		]);
		await made.workflows.list();
		expect(made.warnings).toEqual(['Skill .agents/skills/pdf/SKILL.md is ignored: it has no description.']);
	});

	it('of the user become readable once they are committed, but not before', async () => {
		const made = await workflowProject({'~/.agents/skills/own/SKILL.md': '---\nname: own\ndescription: d\n---\n'});
		const invoked = await made.invoke('own');
		const items = invoked.ok ? invoked.drafts.map((draft, index) => ({...draft, id: String(index), at: ''})) : [];
		expect(made.workflows.folders([])).toEqual([]);
		expect(made.workflows.folders(items)).toEqual([`${made.env['HOME']}/.agents/skills/own`]);
		expect(made.workflows.folders(items)).toEqual([]);
	});
});

describe('the list of workflows', () => {
	it('contains all workflows by slug with their sources, and broken ones with their errors', async () => {
		const made = await workflowProject({
			'.inkpod/workflows/b.md':
				'---\ndescription: >\n  Two\n  lines\nmodel_invokation: true\nrequires: [k]\nmodel: big\n---\n',
			'.inkpod/workflows/broken.md': '---\ndescription: [\n---\n',
			'.inkpod/workflows/needy.md': '---\ndescription: d\nrequires: [gone]\nmodel_invocation: true\n---\n',
			'.inkpod/workflows/README.md': 'About.',
			'.inkpod/workflows/.hidden.md': '',
			'.inkpod/workflows/note.txt': '',
			'.inkpod/knowledge/k.md': 'K',
			[`${own}/workflows/a.md`]: '---\ndescription: Mine\nuser_invocable: false\n---\n',
			[`${own}/workflows/b.md`]: '---\ndescription: Mine\n---\n',
		});
		expect(await made.workflows.list()).toEqual([
			{
				slug: 'a',
				description: 'Mine',
				source: 'user',
				file: '~/.config/inkpod/workflows/a.md',
				userInvocable: false,
				modelInvocation: false,
				requires: [],
			},
			{
				slug: 'b',
				description: 'Two lines',
				source: 'project',
				file: '.inkpod/workflows/b.md',
				userInvocable: true,
				modelInvocation: true,
				requires: ['k'],
				remarks: ['its frontmatter has unknown keys: model'],
				shadows: ['~/.config/inkpod/workflows/b.md'],
			},
			expect.objectContaining({
				slug: 'broken',
				error: expect.stringMatching(/^its frontmatter is not valid YAML \(.* at line [23], column \d+\)$/),
			}),
			expect.objectContaining({
				slug: 'needy',
				error:
					'it requires Knowledge #gone, and there is no file .inkpod/knowledge/gone.md or ' +
					'~/.config/inkpod/knowledge/gone.md',
			}),
			expect.objectContaining({
				slug: 'README',
				error: 'its name is not a slug: lower-case letters, digits and single hyphens, up to 64 characters',
			}),
		]);
		await made.workflows.list();
		expect(made.warnings).toEqual([
			'.inkpod/workflows/b.md: its frontmatter has unknown keys: model.',
			"This project's /b (.inkpod/workflows/b.md) replaces your ~/.config/inkpod/workflows/b.md if it is trusted.",
		]);
		expect(await made.workflows.offered()).toEqual([{slug: 'b', description: 'Two lines'}]);
	});

	it('is empty without warnings if there are no documents', async () => {
		const made = await workflowProject();
		expect([
			await made.workflows.list(),
			await made.workflows.offered(),
			[...(await made.workflows.source.slugs()).keys()],
			made.warnings,
		]).toEqual([[], [], [], []]);
	});

	it('contains the first 500 of thousands, with a warning', async () => {
		const made = await workflowProject(
			Object.fromEntries(
				Array.from({length: 1200}, (_, index) => [
					`.inkpod/workflows/w${String(index).padStart(4, '0')}.md`,
					'---\ndescription: d\n---\n',
				]),
			),
		);
		expect((await made.workflows.list()).length).toBe(500);
		expect(made.warnings).toEqual(['Only 500 of the 1200 entries in .inkpod/workflows are used.']);
	});
});

it('the list of workflows shows changes on disk at once', async () => {
	const made = await workflowProject({'.inkpod/workflows/w.md': '---\ndescription: one\n---\n1'});
	const described = async () =>
		(await made.workflows.list()).map(({slug, description, error}) => [slug, error ?? description]);
	expect(await described()).toEqual([['w', 'one']]);
	await made.write('.inkpod/workflows/w.md', '---\ndescription: two\n---\n2');
	expect(await described()).toEqual([['w', 'two']]);
	expect(await texts(made.invoke('w'))).toEqual(['[Workflow /w]\n2']);
	await made.write('.inkpod/workflows/w.md', 'broken');
	expect(await described()).toEqual([['w', 'it has no description']]);
	await made.write(`${own}/workflows/v.md`, '---\ndescription: mine\n---\n');
	await rm(made.project.path('.inkpod/workflows/w.md'));
	expect(await described()).toEqual([['v', 'mine']]);
	expect(await refusal(made.invoke('w'))).toBe('The workflow /w cannot be invoked: there is no such workflow.');
});

it("skills count as the user's if the project is the home folder", async () => {
	const made = await workflowProject({'.agents/skills/s/SKILL.md': '---\nname: s\ndescription: d\n---\n'});
	const {createWorkflows} = await import('../../../../src/pod/references/workflows/workflows.ts');
	const home = createWorkflows({
		pwd: made.project.dir,
		env: {HOME: made.project.dir},
		clock: {id: () => 'x'},
		trust: {check: async () => 'denied'},
		omitsShipped: true,
		onWarning() {},
	});
	expect(await home.list()).toMatchObject([{slug: 's', file: '~/.agents/skills/s/SKILL.md'}]);
	expect((await home.list())[0]).not.toHaveProperty('shadows');
});
