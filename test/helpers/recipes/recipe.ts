import {posix} from 'node:path';

/**
What somebody changes who follows a recipe of CONTRIBUTING.md to add a `dummy`, by the file that the page names.
*/
export type Recipe = {
	/** The title of the recipe on the page. */
	readonly title: string;
	readonly changes: Readonly<Record<string, NewFile | readonly Addition[]>>;
	/** The test files that the page names and that pass afterwards. */
	readonly tests: readonly string[];
	/** The folder that `<folder>` stands for. */
	readonly folder?: string;
};

type NewFile = string;

/** Adds text before the only line that begins like this, without its indentation. `replaces`: in place of this line. */
export type Addition = {readonly before: string; readonly add: string; readonly replaces?: true};

/** Returns the changed texts by file. `read` returns `undefined` for a missing file. Throws if a place is gone. */
export function applied(
	{title, changes}: Recipe,
	read: (file: string) => string | undefined,
): ReadonlyMap<string, string> {
	return new Map(
		Object.entries(changes).map(([file, change]) => {
			const old = read(file);
			if (typeof change === 'string') {
				if (old !== undefined) throw new Error(`${title}: ${file} exists`);
				return [file, change];
			}
			if (old === undefined) throw new Error(`${title}: ${file} does not exist`);
			return [file, change.reduce((text, addition) => withAddition(file, text, addition), old)];
		}),
	);
}

function withAddition(file: string, text: string, {before, add, replaces}: Addition): string {
	const lines = text.split('\n');
	const places = lines.flatMap((line, index) => (line.trimStart().startsWith(before) ? [index] : []));
	const [place, ...others] = places;
	if (place === undefined || others.length > 0) throw new Error(`${file} has ${places.length} lines “${before}”`);
	return lines.toSpliced(place, replaces === true ? 1 : 0, ...add.split('\n')).join('\n');
}

/** Returns the imports of the changed files that lead to no file, neither in the project nor among the changes. */
export function lostImports(
	texts: ReadonlyMap<string, string>,
	read: (file: string) => string | undefined,
): readonly string[] {
	return [...texts].flatMap(([file, text]) =>
		[...text.matchAll(/^(?:import|export) .*from '(\.[^']+)';$/gm)]
			.map(([, target = '']) => posix.join(posix.dirname(file), target))
			.filter(target => !texts.has(target) && read(target) === undefined)
			.map(target => `${file} imports ${target}`),
	);
}

/** Returns what is wrong with a recipe of the page, compared with what somebody changes who follows it. */
export function problemsOf(page: string, {title, changes, tests, folder = ''}: Recipe): readonly string[] {
	const section = sectionOf(page, title);
	if (section === undefined) return [`the page has no “${title}”`];
	const text = section.body.replaceAll('<name>', 'dummy').replaceAll('<folder>', folder);
	const {steps, first} = stepsOf(text);
	const files = Object.keys(changes);
	const counted = files.filter(file => file.startsWith('src/') && !file.endsWith('/texts.ts') && names(steps, file));
	return [
		...files.filter(file => !names(text, file)).map(file => `“${title}” does not name ${file}`),
		...tests.filter(file => !names(text, file)).map(file => `“${title}” does not name ${file}`),
		...first.filter(file => !files.includes(file)).map(file => `“${title}” does not need ${file}`),
		...(counted.length === section.count
			? []
			: [`“${title}” counts ${section.count} files, and its steps change ${counted.length}`]),
	];
}

/** Returns the text below a title such as `**A tool** (3 files)`. */
function sectionOf(page: string, title: string): {readonly count: number; readonly body: string} | undefined {
	const [, rest = ''] = page.split('\n## How to add something\n');
	const [recipes = ''] = rest.split('\n## ', 1);
	const parts = recipes.split(/^\*\*(An? [^*]+)\*\*/m);
	const at = parts.indexOf(title);
	const body = at === -1 ? undefined : parts[at + 1];
	if (body === undefined) return undefined;
	const [, count] = /\((\d+) files?\b/.exec(body) ?? [];
	return {count: Number(count), body};
}

/** Returns the numbered steps, and the files with which they begin. */
function stepsOf(body: string): {readonly steps: string; readonly first: readonly string[]} {
	const steps = [...body.matchAll(/^\d+\. .*(?:\n {3}.*)*/gm)].map(([step]) => step);
	return {
		steps: steps.join('\n'),
		first: steps.flatMap(step => /^\d+\. `([^`]+\/[^`]+)`/.exec(step)?.[1] ?? []),
	};
}

function names(text: string, file: string): boolean {
	return (
		text
			.replaceAll(/\s+/g, ' ')
			.match(/[\w./-]+/g)
			?.some(word => word.replace(/\.$/, '') === file) === true
	);
}
