import {join, relative} from 'node:path';
import {configDirectory, homeOf, type Env} from '../env/env.ts';
import {ownersOf} from '../scope/owners.ts';
import type {RefusesReading} from '../scope/read.ts';
import {contains, type Owners, type Scope} from '../scope/scope.ts';

/** A folder of documents. */
export type DocumentSource = {
	readonly owner: 'project' | 'user';
	readonly kind: 'workflow' | 'skill' | 'knowledge';
	/** The absolute path of the folder. */
	readonly dir: string;
	/** The scope of the documents. A document must be in it after links are followed. */
	readonly scope: Scope;
	/** The owners whose documents are used. It is absent for your own folders, which you control. */
	readonly owners?: Owners;
	/** Tells why a rule for `read_file` forbids reading a document. It is absent for your own folders. */
	readonly refuses?: RefusesReading;
	/** Returns the path for sentences and lists: relative to `pwd` for a project, relative to `~` for the user. */
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
	/** Tells why a rule forbids reading a document. If it is absent, no rule applies. */
	readonly refuses?: RefusesReading | undefined;
};

/**
Returns the sources below `pwd` and in the user's folders. A project's document must be in `pwd` after links are
followed.
The user's documents may be links to anywhere, because a configuration is often a link into a repository or a store.
If `pwd` is the home folder, its skills belong to the user.
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

/** Returns the path of a document's file. */
export function documentFile({dir, kind}: DocumentSource, slug: string): string {
	return kind === 'skill' ? join(dir, slug, 'SKILL.md') : join(dir, `${slug}.md`);
}
