import {join, relative} from 'node:path';
import {configDirectory, homeOf, type Env} from '../env/env.ts';
import {ownersOf} from '../scope/owners.ts';
import type {RefusesReading} from '../scope/read.ts';
import {contains, type Owners, type Scope} from '../scope/scope.ts';

/** A folder of documents. */
export type DocumentSource = {
	readonly owner: 'project' | 'user';
	readonly kind: 'workflow' | 'skill' | 'knowledge';
	/** An absolute path. */
	readonly dir: string;
	/** A document must be in this scope after links are followed. */
	readonly scope: Scope;
	/** Whose documents are used. Absent for your own folders, which you control. */
	readonly owners?: Owners;
	/** Why the rules for `read_file` forbid reading a document. Absent for your own folders. */
	readonly refuses?: RefusesReading;
	/** The path as shown in sentences and lists: relative to `pwd` for a project, relative to `~` for the user. */
	displayPath(path: string): string;
};

/** The document sources of a session, in order of precedence. */
export type DocumentSources = {
	readonly workflows: readonly DocumentSource[];
	readonly knowledge: readonly DocumentSource[];
};

export type DocumentSourcesOptions = {
	readonly env: Env;
	readonly owners?: Owners | undefined;
	/** Absent: no rule applies to documents. */
	readonly refuses?: RefusesReading | undefined;
};

/**
The sources below `pwd` and in the user's folders. A project's document must be in `pwd` after links are followed.
The user's documents may be links to anywhere, because a configuration is often a link into a repository or a store. If
`pwd` is the home folder, its skills belong to the user.
*/
export function documentSources(
	pwd: string,
	{env, owners = ownersOf(env), refuses}: DocumentSourcesOptions,
): DocumentSources {
	const home = homeOf(env);
	const own = configDirectory(env);
	const project = {
		owner: 'project',
		owners,
		...(refuses !== undefined && {refuses}),
		scope: {pwd, writable: false, readRoots: []},
		displayPath: (path: string) => relative(pwd, path),
	} as const;
	const user = {
		owner: 'user',
		scope: {pwd: own, writable: false, readRoots: ['/']},
		displayPath: (path: string) => (contains(home, path) ? join('~', relative(home, path)) : path),
	} as const;
	return {
		workflows: [
			{...project, kind: 'workflow', dir: join(pwd, '.inkpod', 'workflows')},
			...(pwd === home ? [] : [{...project, kind: 'skill', dir: join(pwd, '.agents', 'skills')} as const]),
			{...user, kind: 'workflow', dir: join(own, 'workflows')},
			{...user, kind: 'skill', dir: join(home, '.agents', 'skills')},
		],
		knowledge: [
			{...project, kind: 'knowledge', dir: join(pwd, '.inkpod', 'knowledge')},
			{...user, kind: 'knowledge', dir: join(own, 'knowledge')},
		],
	};
}

/** The file of a document. */
export function documentFile({dir, kind}: DocumentSource, slug: string): string {
	return kind === 'skill' ? join(dir, slug, 'SKILL.md') : join(dir, `${slug}.md`);
}
