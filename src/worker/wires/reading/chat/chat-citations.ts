import {elementsOf, fieldOf} from '../../values.ts';
import {citationOf, type Citation} from '../citations.ts';
import {isObject} from '../fields.ts';

/** Collects the citations of one answer of chat completions. */
type ChatCitations = {
	add(event: unknown, message: unknown): void;
	list(): readonly Citation[];
};

/**
Collects citations from `citations` (docs.x.ai/docs/guides/live-search and docs.perplexity.ai: a complete list of URLs
in every event; the text refers to their numbers), `search_results` (Perplexity: titles and dates of the same URLs) and
`annotations` (openrouter.ai/docs/features/web-search: `url_citation`).
*/
export function createChatCitations(): ChatCitations {
	const found = new Map<string, Citation>();
	/**
	The number of entries of each list that were read. An event may contain the complete list again, and then only the
	new entries are read.
	*/
	const counts = new Map<string, number>();

	function note(citation: Citation | undefined): void {
		if (citation === undefined) return;
		const key = citation.url ?? JSON.stringify(citation);
		const known = found.get(key);
		if (known !== undefined || found.size < maxCitations) found.set(key, {...known, ...citation});
	}

	function addGrowing(name: string, list: unknown): void {
		const elements = elementsOf(list);
		const from = counts.get(name) ?? 0;
		if (elements.length <= from) return;
		for (const element of elements.slice(from)) note(citationIn(element));
		counts.set(name, elements.length);
	}

	return {
		add(event, message) {
			addGrowing('citations', fieldOf(event, 'citations') ?? fieldOf(message, 'citations'));
			addGrowing('search_results', fieldOf(event, 'search_results') ?? fieldOf(message, 'search_results'));
			for (const annotation of elementsOf(fieldOf(message, 'annotations'))) note(citationIn(annotation));
		},
		list: () => [...found.values()],
	};
}

/**
Returns the citation in one entry of `citations`, `search_results` or `annotations`. An entry that is a string is a URL.
If an entry has its fields in an object named after its type, those fields are read.
*/
function citationIn(value: unknown): Citation | undefined {
	if (typeof value === 'string') return citationOf({url: value});
	const own = isObject(value) && typeof value['type'] === 'string' ? value[value['type']] : undefined;
	return citationOf(isObject(value) && isObject(own) ? {...value, ...own} : value);
}

const maxCitations = 500;
