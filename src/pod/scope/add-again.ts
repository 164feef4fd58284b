import type {Ask} from '../protocol.ts';
import type {Answer} from '../status/asks.ts';
import {addFolders, type WidenableScope} from './read-roots.ts';
import {scopeTexts} from './texts.ts';

export type AddAgainOptions = {
	readonly ask: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly find: WidenableScope['find'];
	readonly warn: (sentence: string) => void;
	readonly signal: AbortSignal;
};

/** Asks whether a resumed session may read the folders again that the user had added to it. */
export async function askToAddAgain(
	folders: readonly string[],
	{ask, find, warn, signal}: AddAgainOptions,
): Promise<void> {
	const {title, choices} = scopeTexts.again;
	const answer = await ask({title, detail: folders.join('\n'), choices}, signal);
	if (answer?.choice === 'add') await addFolders(folders, find, warn);
}
