import {join, relative} from 'node:path';
import {configDirectory, homeOf, type Env} from '../env/env.ts';
import {ownersOf} from '../scope/owners.ts';
import type {RefusesReading} from '../scope/read.ts';
import {contains, type Owners, type Scope} from '../scope/scope.ts';

/** A folder that documents stand in. */
export type Shelf = {
	readonly owner: 'project' | 'user';
	readonly holds: 'workflow' | 'skill' | 'knowledge';
	/** Absolute. */
	readonly dir: string;
	/** Where a document must really lie, links followed. */
	readonly within: Scope;
	/** Whose documents are used. Absent for your own folders: you decide what is in them. */
	readonly owners?: Owners;
	/** Why a document is not read, by the rules for `read_file`. Absent for your own folders. */
	readonly refuses?: RefusesReading;
	/** How a path of it is written in sentences and lists: the project's from `pwd`, the person's from `~`. */
	shown(path: string): string;
};

/** The shelves of a session, those first that win over others of the same slug. */
export type Shelves = {readonly workflows: readonly Shelf[]; readonly knowledge: readonly Shelf[]};

export type ShelvesOptions = {
	readonly env: Env;
	readonly owners?: Owners | undefined;
	/** Absent: no rule is about a document. */
	readonly refuses?: RefusesReading | undefined;
};

/**
The shelves below `pwd` and the person's own. A document of the project must lie in `pwd`, whatever links lead to it.
The person's may be links to anywhere: their configuration is often a link into a repository or a store. Where `pwd` is
the person's home the skills there are their own.
*/
export function shelvesOf(pwd: string, {env, owners = ownersOf(env), refuses}: ShelvesOptions): Shelves {
	const home = homeOf(env);
	const own = configDirectory(env);
	const project = {
		owner: 'project',
		owners,
		...(refuses !== undefined && {refuses}),
		within: {pwd, writable: false, readRoots: []},
		shown: (path: string) => relative(pwd, path),
	} as const;
	const user = {
		owner: 'user',
		within: {pwd: own, writable: false, readRoots: ['/']},
		shown: (path: string) => (contains(home, path) ? join('~', relative(home, path)) : path),
	} as const;
	return {
		workflows: [
			{...project, holds: 'workflow', dir: join(pwd, '.inkpod', 'workflows')},
			...(pwd === home ? [] : [{...project, holds: 'skill', dir: join(pwd, '.agents', 'skills')} as const]),
			{...user, holds: 'workflow', dir: join(own, 'workflows')},
			{...user, holds: 'skill', dir: join(home, '.agents', 'skills')},
		],
		knowledge: [
			{...project, holds: 'knowledge', dir: join(pwd, '.inkpod', 'knowledge')},
			{...user, holds: 'knowledge', dir: join(own, 'knowledge')},
		],
	};
}

/** The file of a document of a shelf. */
export function fileOn({dir, holds}: Shelf, slug: string): string {
	return holds === 'skill' ? join(dir, slug, 'SKILL.md') : join(dir, `${slug}.md`);
}
