import type {History, Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {narrowOrigin, type Segment} from '../../protocol.ts';
import {failureOf, failureSentence, ShortWrite} from '../files.ts';
import type {PromptWriter, StoredPrompt, StoredUse} from './prompt-files.ts';
import type {PromptPlace} from './prompt-search.ts';
import {t} from '../../../language/index.ts';

type RecordOptions = {
	readonly history: Pick<History, 'observe'>;
	readonly place: () => PromptPlace;
	/** Called with a sentence the first time that a prompt cannot be stored. */
	readonly onProblem: (sentence: string) => void;
	/**
	Opens the writer for prompts. By default it writes the files of the project. The code of the default is loaded with
	the first prompt.
	*/
	readonly openWriter?: () => Promise<PromptWriter>;
};

/** Stores prompts until the session ends. */
export type PromptRecorder = {
	/** Stores that the user used a slash command. Its argument is not stored. */
	readonly use: (command: string) => Promise<void>;
	/** Waits until everything is stored. */
	readonly stop: () => Promise<void>;
};

type Stored = Omit<StoredPrompt, 'session'> | Omit<StoredUse, 'session'>;

/**
Stores each committed prompt for later sessions of the project, one after the other. A prompt that begins with a space
is left out, as in shells.
*/
export function recordPrompts(options: RecordOptions): PromptRecorder {
	const {history, place, onProblem, openWriter = openFiles} = options;
	let writer: Promise<PromptWriter> | undefined;
	let last: Promise<void> = Promise.resolve();
	let hasFailed = false;

	async function store(stored: Stored): Promise<void> {
		const {project, session} = place();
		try {
			writer ??= openWriter();
			await (await writer).add(project, {...stored, session});
		} catch (error) {
			if (errorCode(error) === '' && !(error instanceof ShortWrite)) throw error;
			// If the folder of the project does not exist, the session is not on disk, so no warning is needed.
			if (hasFailed || errorCode(error) === 'ENOENT') return;
			hasFailed = true;
			onProblem(promptHistoryTexts.notStored(failureSentence(failureOf(error), project, error)));
		}
	}

	history.observe(item => {
		const segments = promptOf(item);
		if (segments !== undefined) last = last.then(async () => store({at: item.at, segments}));
	});
	return {
		async use(command) {
			last = last.then(async () => store({at: new Date().toISOString(), command}));
			return last;
		},
		stop: async () => last,
	};
}

/** Loads the code that stores prompts. */
export async function loadPromptFiles() {
	return import('./prompt-files.ts');
}

async function openFiles(): Promise<PromptWriter> {
	const {createPromptWriter} = await loadPromptFiles();
	return createPromptWriter();
}

/**
Returns the prompt of an item as a draft: with file references but without their outcomes and confirmations. Returns
`undefined` if the item is not a prompt of the user.
*/
export function promptOf(item: Item): readonly Segment[] | undefined {
	if (item.type !== 'message') return undefined;
	const origin = narrowOrigin(item.origin);
	if (origin?.kind === 'shell')
		return origin.started === true ? [{type: 'text', text: `!${origin.command}`}] : undefined;
	if (item.role !== 'user' || origin?.kind !== 'submit') return undefined;
	const [first] = origin.segments;
	const isPrivate = first === undefined || (first.type === 'text' && first.text.startsWith(' '));
	return isPrivate ? undefined : origin.segments.map(asDraft);
}

function asDraft(segment: Segment): Segment {
	if (segment.type !== 'file_ref') return segment;
	const {path, range} = segment;
	return {type: 'file_ref', path, range};
}

const promptHistoryTexts = {
	notStored: (why: string) => t`Your prompts are not stored for later sessions. ${why}`,
} as const;
