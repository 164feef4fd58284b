import type {FoundPrompt, FoundPrompts, PromptQuery, PromptScope} from '../../protocol.ts';
import {createPromptLoader, foldPrompt, inSlices, type Prompt} from './prompt-list.ts';

/** The place of a session: the folder of its project's sessions, and its id. */
export type PromptPlace = {readonly project: string; readonly session: string};

/** Answers a search in earlier prompts. Files are read at the first search, and later only as far as they grew. */
export type PromptSearch = (query: PromptQuery, signal?: AbortSignal) => Promise<FoundPrompts>;

export function createPromptSearch(place: () => PromptPlace): PromptSearch {
	const loader = createPromptLoader();
	return async (query, signal = new AbortController().signal) => {
		signal.throwIfAborted();
		const {project, session} = place();
		const loaded = await loader.load(project, query.scope === 'everywhere', signal);
		const found = await search(loaded, query, session);
		signal.throwIfAborted();
		return {query, prompts: firstOf(found, query), total: found.length};
	};
}

/** Returns the matches, newest first. */
async function search(prompts: readonly Prompt[], {text, scope}: PromptQuery, session: string): Promise<Prompt[]> {
	const words = foldPrompt(text)
		.split(/\s+/u)
		.filter(word => word !== '');
	const isWanted = filters[scope];
	const found: Prompt[] = [];
	await inSlices(
		(function* () {
			for (let at = prompts.length - 1; at >= 0; at--) {
				const prompt = prompts[at];
				if (prompt === undefined) continue;
				if (isWanted(prompt, session) && words.every(word => prompt.folded.includes(word))) found.push(prompt);
				if (at % stepSize === 0) yield;
			}
		})(),
	);
	return found;
}

const filters: {readonly [Each in PromptScope]: (prompt: Prompt, session: string) => boolean} = {
	project: () => true,
	others: (prompt, session) => prompt.session !== session,
	everywhere: () => true,
};

/** Returns as many matches as fit into an answer, and at least one. */
function firstOf(found: readonly Prompt[], {limit, scope}: PromptQuery): FoundPrompt[] {
	const answer: FoundPrompt[] = [];
	let left = maxAnswerLength;
	for (const {at, segments, text, project} of found.slice(0, Math.min(limit, maxAnswers))) {
		left -= text.length;
		if (left < 0 && answer.length > 0) break;
		answer.push({at, segments, ...(scope === 'everywhere' && {project})});
	}
	return answer;
}

/** The number of prompts between two looks at the clock. */
const stepSize = 64;
const maxAnswers = 1000;
/** The maximum length of the texts of an answer, in UTF-16 code units. */
const maxAnswerLength = 1024 * 1024;
