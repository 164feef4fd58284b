import {resolve} from 'node:path';
import type {CallFacts} from '../../../worker/index.ts';
import {toolFactsOf} from '../../protocol/tool-definitions.ts';
import {pathFrom} from './path-match.ts';
import {checkUrl} from '../../ground/text/web-url.ts';
import type {Subject} from './rule.ts';

/**
The folders from which paths of rules are resolved. `startedIn` is the start directory, if the project's file moved
`pwd`. `foldsNames` tells whether the file system ignores case in names.
*/
export type RuleFolders = {
	readonly pwd: string;
	readonly startedIn?: string | undefined;
	readonly home: string;
	readonly foldsNames?: boolean;
};

/**
Returns the subject that rules compare with a call. It is made from the argument of the tool and the target that the
worker found, without access to the disk.
*/
export function subjectOf(
	tool: string,
	facts: Pick<CallFacts, 'args' | 'target' | 'isRunLater' | 'isNew'>,
	folders: RuleFolders,
): Subject {
	const {args, target, isRunLater, isNew} = facts;
	const about = toolFactsOf(tool)?.subject;
	const text = about && textAt(args, about.argument);
	if (text === undefined || about?.kind === 'other') return {kind: 'tool', tool};
	if (about?.kind === 'command') return {kind: 'command', command: text};
	if (about?.kind === 'url') return urlSubject(text);
	return {...fileSubject(text, target, folders), ...(isRunLater && {isRunLater}), ...(isNew && {isNew})};
}

/** Returns a web address as a subject, in the form of the URL parser if it is valid. */
export function urlSubject(text: string): Extract<Subject, {kind: 'url'}> {
	const checked = checkUrl(text);
	return {kind: 'url', url: checked.ok ? checked.url.href : text};
}

/** Returns a file as a subject, with the path as written and its real path. */
export function fileSubject(
	path: string,
	real: string | undefined,
	{pwd, startedIn, home, foldsNames}: RuleFolders,
): Extract<Subject, {kind: 'path'}> {
	const written = resolve(pwd, path);
	const paths = [...new Set([written, real ?? written])];
	const bases = [pwd, ...(startedIn === undefined ? [] : [startedIn])] as const;
	return {kind: 'path', names: paths.map(found => pathFrom(pwd, found)), place: {paths, bases, home, foldsNames}};
}

function textAt(args: unknown, key: string): string | undefined {
	const value: unknown =
		typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>)[key] : undefined;
	return typeof value === 'string' ? value : undefined;
}
