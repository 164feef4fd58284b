import {fieldOf} from '../../values.ts';

/**
Returns a citation with only the fields of its type, because it is sent back to the server unchanged. Returns
`undefined` for a citation that the server would not accept (platform.claude.com/docs/en/build-with-claude/citations).
*/
export function knownCitation(value: unknown): Record<string, unknown> | undefined {
	const type = fieldOf(value, 'type');
	const form = typeof type === 'string' && Object.hasOwn(forms, type) ? forms[type] : undefined;
	if (form === undefined) return undefined;
	const citation: Record<string, unknown> = {type};
	for (const [name, kind] of Object.entries(form)) {
		const field = fieldOf(value, name) ?? null;
		if (field === null && kind === 'title') citation[name] = null;
		else if (typeof field === (kind === 'number' ? 'number' : 'string')) citation[name] = field;
		else if (kind !== 'file') return undefined;
	}
	return citation;
}

/** The kind of a field. A `title` may be null. A `file` may be absent. */
type Kind = 'text' | 'number' | 'title' | 'file';

const document = {cited_text: 'text', document_index: 'number', document_title: 'title'} as const;

const forms: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
	char_location: {...document, start_char_index: 'number', end_char_index: 'number', file_id: 'file'},
	page_location: {...document, start_page_number: 'number', end_page_number: 'number', file_id: 'file'},
	content_block_location: {...document, start_block_index: 'number', end_block_index: 'number', file_id: 'title'},
	web_search_result_location: {cited_text: 'text', url: 'text', title: 'title', encrypted_index: 'text'},
	search_result_location: {
		cited_text: 'text',
		search_result_index: 'number',
		source: 'text',
		title: 'title',
		start_block_index: 'number',
		end_block_index: 'number',
	},
};
