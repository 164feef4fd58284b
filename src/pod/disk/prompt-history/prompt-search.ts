import type {FoundPrompt, FoundPrompts, PromptQuery, PromptScope} from '../../protocol.ts';
import {lstat, readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {flatten} from '../../protocol/immutable.ts';
import {parsePrompts, promptFiles, readPromptLines, type PromptLines, type StoredPrompt} from './prompt-files.ts';

/** The place of a session: the folder of its project's sessions, and its id. */
export type PromptPlace = {readonly project: string; readonly session: string};

/** Searches in earlier prompts. The first search reads the files. Later searches read only what was added to them. */
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

/** Returns the matches, the newest first. */
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

/** Returns as many matches as fit into an answer. If there is a match, it returns at least one. */
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

/** The number of prompts after which the clock is checked again. */
const stepSize = 64;

const maxAnswers = 1000;

/** The maximum length of the texts of an answer, in UTF-16 code units. */
const maxAnswerLength = 1024 * 1024;

/** A prompt in memory. `folded` is its text in the form for comparisons. */
type Prompt = StoredPrompt & {readonly text: string; readonly folded: string; readonly project: string};

/** Loads prompts from disk, and caches them until a file changes. */
type PromptLoader = {
	/**
	Returns the prompts of a project, or of all projects, the oldest first. If several prompts have the same text, only
	the latest is included. Rejects with the signal's reason.
	*/
	load(project: string, isEverywhere: boolean, signal: AbortSignal): Promise<readonly Prompt[]>;
};

function createPromptLoader(): PromptLoader {
	let files = new Map<string, LoadedFile>();
	let merged: {readonly files: ReadonlyMap<string, LoadedFile>; readonly prompts: readonly Prompt[]} | undefined;

	return {
		async load(project, isEverywhere, signal) {
			const paths = isEverywhere ? await allFiles(dirname(project)) : await promptFiles(project);
			const before = files;
			const loaded = new Map<string, LoadedFile>();
			let left = maxTotalBytes;
			for (const path of paths) {
				signal.throwIfAborted();
				const file = await loadFile(path, before.get(path));
				if (file === undefined) continue;
				left -= file.size;
				if (left < 0) break;
				loaded.set(path, file);
			}
			files = loaded;
			if (merged === undefined || !isSameFiles(merged.files, loaded))
				merged = {files: loaded, prompts: await merge([...loaded.values()])};
			signal.throwIfAborted();
			return merged.prompts;
		},
	};
}

/** Returns a text in the form for comparisons: in lower case and one Unicode normalization. */
function foldPrompt(text: string): string {
	return text.toLowerCase().normalize();
}

/** Runs steps of work in slices. Between the slices, the event loop handles keys and other events. */
async function inSlices(steps: Iterable<unknown>): Promise<void> {
	let until = performance.now() + sliceMs;
	for (const _ of steps) {
		if (performance.now() < until) continue;
		await nextTurn();
		until = performance.now() + sliceMs;
	}
}

const sliceMs = 4;

/** The maximum size of all loaded files together, in bytes. */
const maxTotalBytes = 64 * 1024 * 1024;

const maxProjects = 2000;

type LoadedFile = Omit<PromptLines, 'bytes'> & {readonly prompts: readonly Prompt[]};

/** Loads a file. If the file is known, it reads only the lines that were added. */
async function loadFile(path: string, known: LoadedFile | undefined): Promise<LoadedFile | undefined> {
	const read = await readPromptLines(path, known);
	if (read === undefined) return undefined;
	const {bytes, ...facts} = read;
	const isKnown = known?.ino === read.ino && known.end <= read.end && known.end === read.end - bytes.length;
	if (known !== undefined && isKnown && bytes.length === 0) return known;
	const project = nameOfProject(dirname(path));
	const prompts: Prompt[] = isKnown ? [...known.prompts] : [];
	await inSlices(
		(function* () {
			for (const prompt of parsePrompts(bytes)) {
				if (prompt !== undefined) {
					const text = flatten(prompt.segments);
					prompts.push({...prompt, text, folded: foldPrompt(text), project});
				}
				yield;
			}
		})(),
	);
	return {...facts, prompts};
}

/** Returns the prompt files of all projects, the last changed ones first. */
async function allFiles(root: string): Promise<readonly string[]> {
	const projects = await readdir(root).catch(() => []);
	const files: Array<{readonly path: string; readonly changed: number}> = [];
	for (const name of projects.slice(0, maxProjects)) {
		for (const path of await promptFiles(join(root, name))) {
			const changed = await lstat(path).then(
				({mtimeMs}) => mtimeMs,
				() => 0,
			);
			files.push({path, changed});
		}
	}
	return files.toSorted((one, other) => other.changed - one.changed).map(({path}) => path);
}

/** Returns the readable part of the name of a project's folder. */
function nameOfProject(folder: string): string {
	return basename(folder).replace(/-[0-9a-f]{12}$/, '');
}

function isSameFiles(one: ReadonlyMap<string, LoadedFile>, other: ReadonlyMap<string, LoadedFile>): boolean {
	return one.size === other.size && [...other].every(([path, file]) => one.get(path) === file);
}

async function merge(files: readonly LoadedFile[]): Promise<readonly Prompt[]> {
	const all = files.flatMap(({prompts}) => prompts);
	if (!isAscending(all)) all.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
	const latest = new Map<string, Prompt>();
	await inSlices(
		(function* () {
			for (const prompt of all) {
				latest.delete(prompt.text);
				latest.set(prompt.text, prompt);
				yield;
			}
		})(),
	);
	return [...latest.values()];
}

function isAscending(prompts: readonly Prompt[]): boolean {
	return prompts.every(({at}, index) => index === 0 || at >= (prompts[index - 1]?.at ?? ''));
}
