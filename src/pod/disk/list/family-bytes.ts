import {join} from 'node:path';
import {realFiles, sizeOf, type Files} from '../files.ts';
import {sideQuestionsDir, childrenDir, compactionsDir, historyFile, sessionId, sideId} from '../paths.ts';

/** Returns the bytes of all histories of a session: its own, and those of its family. */
export async function familyBytes(dir: string, files: Files = realFiles, depth = maxDepth): Promise<number> {
	const own = await sizeOf(historyFile(dir), files);
	const sizes = await Promise.all([
		...(await folders(compactionsDir(dir), sideId, files)).map(async side => sizeOf(historyFile(side), files)),
		...(await folders(sideQuestionsDir(dir), sideId, files)).map(async side => sizeOf(historyFile(side), files)),
		...(depth === 0 ? [] : await folders(childrenDir(dir), sessionId, files)).map(async child =>
			familyBytes(child, files, depth - 1),
		),
	]);
	return sizes.reduce((sum, size) => sum + size, own);
}

async function folders(path: string, pattern: RegExp, files: Files): Promise<readonly string[]> {
	const names = await files.readdir(path).catch(() => []);
	return names.filter(name => pattern.test(name)).map(name => join(path, name));
}

/** Children of children count, too. */
export const maxDepth = 4;
