import {en} from '../../../language/index.ts';
import {join, relative} from 'node:path';
import {configDirectory, homeOf, xdgParent, type Env} from '../../ground/env/env.ts';
import {ownersOf} from '../../scope/owners.ts';
import type {RefusesReading} from '../../scope/read.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Owners, Scope} from '../../scope/scope.ts';
import type {DocumentMeta} from './frontmatter-schema.ts';

/** A folder of documents, or the documents that inkpod ships. */
export type DocumentSource = {
	readonly owner: 'project' | 'user' | 'shipped';
	/** `command`: a Markdown file that was written for another agent. */
	readonly kind: 'workflow' | 'skill' | 'knowledge' | 'command';
	/** Whether a skill was written for another agent. */
	readonly isImported?: true;
	/** The absolute path of the folder. */
	readonly dir: string;
	/** The scope of the documents. After links are followed, a document must be in this scope. */
	readonly scope: Scope;
	/** The owners whose documents are used. It is absent for the user's own folders, because the user controls them. */
	readonly owners?: Owners;
	/** Returns the reason why a rule for `read_file` forbids reading a document. Absent for the user's own folders. */
	readonly refuses?: RefusesReading;
	/** Returns the path for sentences and lists: relative to `pwd` for a project, relative to `~` for the user. */
	displayPath(path: string): string;
};

/** The document sources of a session, in order of precedence. */
export type DocumentSources = {
	readonly workflows: readonly DocumentSource[];
	readonly knowledge: readonly DocumentSource[];
};

type DocumentSourcesOptions = {
	readonly env: Env;
	readonly owners?: Owners | undefined;
	/** Returns the reason why a rule forbids reading a document. If it is absent, no rule applies. */
	readonly refuses?: RefusesReading | undefined;
	/** Whether the workflows that inkpod ships are left out. */
	readonly omitsShipped?: boolean | undefined;
};

/**
Returns the sources below `pwd` and in the user's folders. A project's document must be in `pwd` after links are
followed.
The user's documents may be links to anywhere, because a configuration is often a link into a repository or a store.
If `pwd` is the home folder, its skills, and its commands for other agents, belong to the user.
*/
export function documentSources(
	pwd: string,
	{env, owners = ownersOf(env), refuses, omitsShipped = false}: DocumentSourcesOptions,
): DocumentSources {
	const home = homeOf(env);
	const own = configDirectory(env);
	const openCode = join(xdgParent(env, 'XDG_CONFIG_HOME', join(home, '.config')), 'opencode');
	const project = {
		owner: 'project',
		owners,
		refuses,
		scope: {pwd, writable: false, readRoots: [], home},
		displayPath: (path: string) => relative(pwd, path),
	} as const;
	const user = {
		owner: 'user',
		scope: {pwd: own, writable: false, readRoots: ['/'], home},
		displayPath: (path: string) => (contains(home, path) ? join('~', relative(home, path)) : path),
	} as const;
	return {
		workflows: [
			{...project, kind: 'workflow', dir: join(pwd, '.inkpod', 'workflows')},
			...(pwd === home ? [] : agentFolders(pwd, join(pwd, '.opencode')).map(folder => ({...project, ...folder}))),
			{...user, kind: 'workflow', dir: join(own, 'workflows')},
			...agentFolders(home, openCode).map(folder => ({...user, ...folder})),
			...(omitsShipped ? [] : [shipped]),
		],
		knowledge: [
			{...project, kind: 'knowledge', dir: join(pwd, '.inkpod', 'knowledge')},
			{...user, kind: 'knowledge', dir: join(own, 'knowledge')},
		],
	};
}

type AgentFolder = Pick<DocumentSource, 'kind' | 'dir' | 'isImported'>;

/** Returns the folders that several agents use, and those of Claude Code and opencode, in order of precedence. */
function agentFolders(top: string, openCode: string): readonly AgentFolder[] {
	return [
		{kind: 'skill', dir: join(top, '.agents', 'skills')},
		{kind: 'command', dir: join(top, '.claude', 'commands')},
		{kind: 'skill', dir: join(top, '.claude', 'skills'), isImported: true},
		{kind: 'command', dir: join(openCode, 'command')},
		{kind: 'command', dir: join(openCode, 'commands')},
	];
}

/** The workflows that inkpod ships. They are not on the disk, so the scope is empty. */
const shipped: DocumentSource = {
	owner: 'shipped',
	kind: 'workflow',
	dir: '',
	scope: {pwd: '', writable: false, readRoots: [], home: ''},
	displayPath: slug => en`the built-in /${slug}`,
};

/** Returns the path of a document's file. For a shipped document it is the slug. */
export function documentFile({dir, kind, owner}: DocumentSource, slug: string): string {
	if (owner === 'shipped') return slug;
	return kind === 'skill' ? join(dir, slug, 'SKILL.md') : join(dir, `${slug}.md`);
}

/** The workflows that inkpod ships, by slug. Every other workflow with the same slug has precedence. */
export const shippedWorkflows: ReadonlyMap<string, ShippedWorkflow> = new Map([
	[
		'init',
		{
			description: en`Look at this project and write AGENTS.md for coding agents`,
			body: `Write the file AGENTS.md in the working directory. It tells coding agents what they need to know to work in
this project.

First look at the project: the list of files, README, manifests and build files, the configuration of tests and linters,
the CI, a few typical source files and tests, and instructions for other agents (CLAUDE.md, .cursor, .github).

Then write these parts, as far as they exist here:
- the commands that build, check and test the project, and the command that runs a single test
- how the code is organised, where that takes several files to understand
- rules and conventions that differ from what is usual

Write only what you found in files. Leave out general advice, and lists that anyone can see in the directory. Aim for
less than 80 lines of Markdown. If AGENTS.md exists, read it, keep what is right, and change only what is wrong or
missing. Change no other file. At the end, name in a few lines what you wrote and what you could not find out.

$ARGUMENTS`,
		},
	],
	[
		'review',
		{
			description: en`Review the uncommitted changes, or the file, commit or branch that you name`,
			body: `Review a change to the code. Change no file.

What to review (nothing here means the uncommitted changes): $ARGUMENTS

Find the change with git: \`git status --short\` and \`git diff HEAD\` for uncommitted changes, together with new files
that git does not track yet; \`git show\` for a commit; \`git diff main...NAME\` for a branch, with the name of the main
branch here. A path means the file or directory itself. If there is no change, say so and stop.

Read the code around each change, the callers of what changed, and the tests. Look for errors: wrong results, unhandled
failures, races, broken callers, security problems, lost data, missing tests for new behaviour. Check each finding in
the code before you report it. Leave out matters of taste.

List the findings by severity, the worst first. For each finding, name the file and the line, what goes wrong in which
situation, and what would fix it. If you find nothing, say so. Also say what you could not check.`,
		},
	],
]);

/** A workflow that inkpod ships. The model reads its body. */
type ShippedWorkflow = Pick<DocumentMeta, 'description'> & {readonly body: string};
