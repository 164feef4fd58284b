import {relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readFolder, type FolderInstructions} from '../../../../src/pod/references/instructions/find.ts';
import {giveAway} from '../../../helpers/other-user.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const why = 'a rule denies it.';

describe('readFolder', () => {
	it.each([
		{foreign: [], denied: [], reads: 'AGENTS.md'},
		{foreign: ['AGENTS.md'], denied: [], reads: 'CLAUDE.md'},
		{foreign: ['CLAUDE.md'], denied: [], reads: 'AGENTS.md'},
		{foreign: ['AGENTS.md', 'CLAUDE.md'], denied: [], reads: undefined},
		{foreign: [], denied: ['AGENTS.md'], refuses: 'AGENTS.md'},
		{foreign: ['AGENTS.md'], denied: ['AGENTS.md'], reads: 'CLAUDE.md'},
		{foreign: ['AGENTS.md'], denied: ['CLAUDE.md'], refuses: 'CLAUDE.md'},
		{foreign: ['CLAUDE.md'], denied: ['AGENTS.md'], refuses: 'AGENTS.md'},
	])('respects owners and rules: foreign $foreign, denied $denied', async ({foreign, denied, reads, refuses}) => {
		const project = await tempProject({'.git/': '', 'AGENTS.md': 'agents', 'CLAUDE.md': 'claude'});
		await giveAway(...foreign.map(name => project.path(name)));
		const {found, asked} = await read(project, denied);
		expect(outcome(found, project)).toEqual({reads, refuses});
		const passedOver = foreign.filter(name => name === 'AGENTS.md' || foreign.length === 2);
		const paths = passedOver.map(name => project.path(name));
		expect(found.foreign?.map(({path}) => path) ?? []).toEqual(paths);
		for (const path of paths) expect(asked).not.toContain(path);
	});

	it('checks the rules for the target of a link', async () => {
		const project = await tempProject({'.git/': '', 'docs/agents.txt': 'linked'});
		await project.link('AGENTS.md', 'docs/agents.txt');
		const {found} = await read(project, ['docs/agents.txt']);
		expect(found).toMatchObject({type: 'refused', file: project.path('AGENTS.md'), reason: 'rule', why});
	});

	it('skips a link to a file of another user before it checks the target', async () => {
		const project = await tempProject({'.git/': '', 'sub/': '', 'other.md': 'theirs', 'sub/CLAUDE.md': 'own'});
		await giveAway(project.path('other.md'));
		await project.link('sub/AGENTS.md', '../other.md');
		const scope = {pwd: project.path('sub'), writable: false, readRoots: [], home: '/'};
		const found = await readFolder(scope, scope.pwd, {refusesReading: async () => undefined, signal});
		const foreign = [{path: project.path('sub/AGENTS.md')}];
		expect(found).toMatchObject({type: 'text', file: project.path('sub/CLAUDE.md'), foreign});
	});
});

const {signal} = new AbortController();

type Read = {readonly found: FolderInstructions; readonly asked: readonly string[]};

async function read(project: TempProject, denied: readonly string[]): Promise<Read> {
	const asked: string[] = [];
	const refusesReading = async (_: string, real: string) => {
		asked.push(real);
		return denied.some(name => project.path(name) === real) ? why : undefined;
	};
	return {found: await readFolder(project.scope, project.dir, {refusesReading, signal}), asked};
}

/** Returns the name of the file that is read or refused. */
function outcome(
	found: FolderInstructions,
	project: TempProject,
): Readonly<Record<'reads' | 'refuses', string | undefined>> {
	const name = 'file' in found ? relative(project.dir, found.file) : undefined;
	return {reads: found.type === 'text' ? name : undefined, refuses: found.type === 'refused' ? name : undefined};
}
