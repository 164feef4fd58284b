import {basename, dirname} from 'node:path';
import {decodeTime} from 'ulid';
import type {Decoded} from './decode.ts';
import type {Header} from './line.ts';
import {idOf, projectDir, sessionId} from '../paths.ts';

/** The working directory and the time of creation (ISO) of a session. Each is empty if it is unknown. */
type HeaderFacts = {readonly cwd: string; readonly created: string};

/**
Returns the facts in the header of a session. If the header is damaged, a fact is used only if the names of the
session's folders confirm it. These names contain the hash of the working directory, and the time of creation.
*/
export function headerFacts(
	dir: string,
	{header, isHeaderSound}: Pick<Decoded, 'header' | 'isHeaderSound'>,
): HeaderFacts {
	if (isHeaderSound) return {cwd: header.cwd, created: header.created};
	return {cwd: confirmedCwd(dir, header), created: createdAt(idOf(dir))};
}

function confirmedCwd(dir: string, {cwd}: Header): string {
	const project = dirname(dir);
	return cwd !== '' && basename(projectDir(dirname(project), cwd)) === basename(project) ? cwd : '';
}

/** Returns the time of a session's creation (ISO), which its id contains. */
function createdAt(id: string): string {
	return sessionId.test(id) ? new Date(decodeTime(id)).toISOString() : '';
}
