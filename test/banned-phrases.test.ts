import {globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {bannedOnScreen, bannedPhrases, findBanned} from './helpers/banned-phrases.ts';
import {projectRoot} from './helpers/built.ts';
import {nodesIn, parseSource, type Node} from './helpers/source-file.ts';

/** docs/command-line.md contains the text of --help. test/terminal/docs.examples.test.ts compares them. */
const pages = found('*.md', 'docs/**/*.md', 'test/fixtures/README.md');
/** A model reads the descriptions of tools, so they change only by `settings.rules`. */
const catalogues = found('src/**/{texts,*-texts}.ts', 'src/cli/{help,start,subcommands}/*.ts').filter(
	file => file !== 'src/pod/tools/texts.ts',
);

describe('the words that a user reads', () => {
	it.each(pages)('%s has no banned phrase', page => {
		expect(findBanned(prose(read(page)))).toEqual([]);
	});

	it('contain no banned phrase in the catalogues of texts', () => {
		const hits = catalogues.flatMap(file =>
			sentencesIn(file, read(file)).flatMap(({line, text}) =>
				findBanned(text, [...bannedPhrases, ...bannedOnScreen]).map(hit => `${file}:${line} ${hit}`),
			),
		);
		expect(hits).toEqual([]);
	});
});

describe('findBanned', () => {
	it.each([...bannedPhrases, ...bannedOnScreen])('finds “$bad” and not “$good”', ({bad, good, ...phrase}) => {
		expect(findBanned(bad, [{...phrase, bad, good}])).not.toEqual([]);
		expect(findBanned(good, [{...phrase, bad, good}])).toEqual([]);
	});

	it('finds a phrase that contains a line break', () => {
		expect(findBanned('Run it and go\non with it.')).toEqual(['“Run it and go on with it.”: write “continue”']);
	});

	it('does not look into code spans', () => {
		expect(findBanned(prose('Set `holds` and ``go on``.'))).toEqual([]);
		expect(findBanned(prose('It `x` holds `y`.'))).not.toEqual([]);
	});

	it('checks the strings and templates of a catalogue, but not its names', () => {
		const source = [
			'// It holds.',
			"export const texts = {holds: 'It stands.', 'draft of yours': 1, of: (n) => `${n} of yours`};",
		].join('\n');
		const hits = sentencesIn('src/texts.ts', source).flatMap(({line, text}) =>
			findBanned(text).map(hit => `${line} ${hit}`),
		);
		expect(hits).toEqual(['2 “It stands.”: write “is”', '2 “ of yours”: write “your”']);
	});
});

function found(...patterns: readonly string[]): readonly string[] {
	return globSync([...patterns], {cwd: projectRoot}).toSorted();
}

function read(file: string): string {
	return readFileSync(path.join(projectRoot, file), 'utf8');
}

/**
Returns a page without its code spans, because names in code are not prose. Blocks of code stay, because their comments
are prose.
*/
function prose(page: string): string {
	return page.replaceAll(/(`+)(?!`)[^`\n]+(?:\n[^`\n]+)?\1(?!`)/g, 'code');
}

type Sentence = {readonly line: number; readonly text: string};

/** Returns every string of a source and every fixed part of its templates, except the names of properties. */
function sentencesIn(file: string, source: string): readonly Sentence[] {
	const parsed = parseSource(file, source);
	return nodesIn(parsed).flatMap(([node, [around]]) => {
		const text = around?.type === 'Property' && around['key'] === node ? undefined : textOf(node);
		return text === undefined ? [] : [{line: parsed.lineOf(node), text}];
	});
}

function textOf(node: Node): string | undefined {
	const value = node['value'];
	if (node.type === 'Literal') return typeof value === 'string' ? value : undefined;
	if (node.type !== 'TemplateElement' || typeof value !== 'object' || value === null) return undefined;
	return 'cooked' in value && typeof value.cooked === 'string' ? value.cooked : undefined;
}
