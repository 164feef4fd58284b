import {type Segment} from '../../../../src/pod/protocol.ts';
import {parse} from '../../../../src/pod/references/submission/parse.ts';

const files: ReadonlySet<string> = new Set([
	'src',
	'src/a.ts',
	'src/main.tsx',
	'a b.md',
	'README.md',
	'Makefile',
	'odd).md',
	'end.',
	'x:10',
	'data.c#L3',
	'日本語.md',
	'メモ',
	'a"b.md',
	"it's.md",
	'.',
	'a',
	'wow!',
	'résumé.md',
	'@types/node',
	'./src/a.ts',
	'~/notes.md',
	'new\nline.md',
	'tick`.md',
	'back\\slash.md',
	'a。b.md',
]);
/** Tells whether a path is one of a few test files. */
export const exists = async (path: string): Promise<boolean> => files.has(path);

/** Returns short segments: texts unchanged, `<path|range>` for a ref, `{slug}` for a workflow. */
export function brief(segments: readonly Segment[]): string[] {
	return segments.map(segment => {
		if (segment.type === 'text') return segment.text;
		if (segment.type === 'workflow') return `{${segment.slug}}`;
		if (segment.type === 'paste') return 'PASTE';
		const range = segment.range === undefined ? '' : `|${segment.range.first}-${segment.range.last ?? ''}`;
		return `<${segment.path}${range}>`;
	});
}

/** Parses a text, and returns its short segments. */
export async function parsed(text: string): Promise<string[]> {
	return brief(await parse(text, exists, {knows: slug => slug === 'review'}));
}
