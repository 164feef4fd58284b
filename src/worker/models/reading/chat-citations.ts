import {elementsOf, fieldOf, isRecord} from '../values.ts';

/** What an answer cites. `url` and `title` if they are known. */
export type Citation = Readonly<Record<string, string | number>>;

/** The citations of one answer of chat completions. */
export type ChatCitations = {
	add(event: unknown, message: unknown): void;
	list(): readonly Citation[];
};

/**
Collects citations from `citations` (docs.x.ai/docs/guides/live-search and docs.perplexity.ai: URLs, whole with every
event; their numbers are those in the text), `search_results` (Perplexity: titles and dates of the same URLs) and
`annotations` (openrouter.ai/docs/features/web-search: `url_citation`).
*/
export function createChatCitations(): ChatCitations {
	const found = new Map<string, Citation>();
	/** Lists that come whole with every event are read from where they have grown. */
	const counts = new Map<string, number>();

	function note(citation: Citation | undefined): void {
		if (citation === undefined) return;
		const key = typeof citation['url'] === 'string' ? citation['url'] : JSON.stringify(citation);
		const known = found.get(key);
		if (known !== undefined || found.size < maxCitations) found.set(key, {...known, ...citation});
	}

	function addGrowing(name: string, list: unknown): void {
		const elements = elementsOf(list);
		const from = counts.get(name) ?? 0;
		if (elements.length <= from) return;
		for (const element of elements.slice(from)) note(citationOf(element));
		counts.set(name, elements.length);
	}

	return {
		add(event, message) {
			addGrowing('citations', fieldOf(event, 'citations') ?? fieldOf(message, 'citations'));
			addGrowing('search_results', fieldOf(event, 'search_results') ?? fieldOf(message, 'search_results'));
			for (const annotation of elementsOf(fieldOf(message, 'annotations'))) note(citationOf(annotation));
		},
		list: () => [...found.values()],
	};
}

/** The words and numbers of a citation; those under the name of its own type are its own. */
function citationOf(value: unknown): Citation | undefined {
	if (typeof value === 'string') return value === '' ? undefined : {type: 'url_citation', url: clipped(value)};
	if (!isRecord(value) || Array.isArray(value)) return undefined;
	const type = typeof value['type'] === 'string' ? value['type'] : 'url_citation';
	const own = value[type];
	const fields = Object.entries({...value, ...(isRecord(own) && !Array.isArray(own) ? own : {})});
	const known = fields.flatMap(([name, field]) => {
		if (!names.has(name)) return [];
		return typeof field === 'number' || (typeof field === 'string' && field !== '')
			? [[name, typeof field === 'string' ? clipped(field) : field] as const]
			: [];
	});
	return known.length === 0 ? undefined : {type, ...Object.fromEntries(known)};
}

function clipped(text: string): string {
	return text.length <= maxText ? text : `${text.slice(0, maxText).toWellFormed()}…`;
}

const names: ReadonlySet<string> = new Set([
	...['url', 'title', 'content', 'snippet', 'date', 'source', 'filename', 'name', 'file_id', 'quote', 'cited_text'],
	...['start_index', 'end_index'],
]);
const maxCitations = 500;
const maxText = 2000;
