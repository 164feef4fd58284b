import {basename, join} from 'node:path';
import {idOf, sessionId} from '../paths.ts';
import {filesIn, foldersIn, isPrompts} from './conversation-files.ts';
import {replaceAlone} from './intent.ts';
import {redactDrafts} from './redact-session.ts';
import {redactFile, type Removal} from './redact-conversation.ts';

/**
Removes texts from files that belong to no session: drafts whose session was never saved, prompts of projects without a
session, and pasted images. Each file is replaced alone.
*/
export async function redactLoose(
	home: string,
	isTrial: boolean,
	given: Omit<Removal, 'emit' | 'found' | 'sent' | 'skipped'>,
): Promise<Pick<Removal, 'found' | 'skipped'>> {
	const emit: Removal['emit'] = async (path, bytes) => {
		if (!isTrial) await replaceAlone(path, bytes, given.files);
	};
	const removal: Removal = {...given, emit, found: [], sent: [], skipped: []};
	for (const project of await foldersIn(join(home, 'drafts')))
		for (const folder of await foldersIn(project)) await redactDrafts(folder, removal);
	for (const path of await filesIn(join(home, 'pasted'))) await redactFile(path, removal);
	for (const root of ['sessions', 'trash'])
		for (const project of await foldersIn(join(home, root)))
			for (const path of await filesIn(project, undefined, false))
				if (isPrompts(basename(path))) await redactFile(path, removal);
	return removal;
}

/** Returns the folders of all sessions in a state folder, also those in the trash. */
export async function allSessionFolders(home: string): Promise<readonly string[]> {
	const roots = await Promise.all(['sessions', 'trash'].map(async root => foldersIn(join(home, root))));
	const sessions = await Promise.all(roots.flat().map(foldersIn));
	return sessions.flat().filter(dir => sessionId.test(idOf(dir)));
}
