import type {AnswerNotes} from '../answer-notes.ts';
import {citationOf, type Citation, type Citations} from '../citations.ts';
import {jsonOf} from '../fields.ts';
import {unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';

/**
Records the sources that a candidate cites, and the searches that the provider made. Each chunk may repeat the contents
of the previous chunk.
*/
type Grounding = (candidate: unknown, isInText: boolean) => void;

/** For the fields, see ai.google.dev/api/generate-content, "GroundingMetadata" and "CitationMetadata". */
export function createGrounding(notes: AnswerNotes, citations: Citations): Grounding {
	const known = new Set<string>();

	function addUnread(type: string, content: unknown): void {
		const key = `${type} ${jsonOf(content) ?? ''}`;
		if (known.has(key) || known.size >= maxUnread) return;
		known.add(key);
		notes.addUnread(unreadPart(type, content));
	}

	return (candidate, isInText) => {
		const grounding = fieldOf(candidate, 'groundingMetadata');
		const cited = citationsOf(candidate, grounding);
		if (isInText) for (const citation of cited) citations.add(citation);
		else if (cited.length > 0) addUnread('citations', cited);
		const queries = elementsOf(fieldOf(grounding, 'webSearchQueries'));
		if (queries.length > 0) addUnread('webSearchQueries', queries);
	};
}

const maxUnread = 32;

function citationsOf(candidate: unknown, grounding: unknown): readonly Citation[] {
	const metadata = fieldOf(candidate, 'citationMetadata');
	const sources = [
		...elementsOf(fieldOf(grounding, 'groundingChunks')).map(sourceOfChunk),
		...elementsOf(fieldOf(metadata, 'citationSources') ?? fieldOf(metadata, 'citations')),
		...elementsOf(fieldOf(fieldOf(candidate, 'urlContextMetadata'), 'urlMetadata')),
	];
	return sources.map(citationOf).filter(citation => citation !== undefined);
}

/** Returns the source of a chunk, which is in the field with the name of its kind. */
function sourceOfChunk(chunk: unknown): unknown {
	return chunkKinds.map(kind => fieldOf(chunk, kind)).find(source => (source ?? undefined) !== undefined) ?? chunk;
}

const chunkKinds = ['web', 'retrievedContext', 'maps', 'image'] as const;
