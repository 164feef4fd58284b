import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadConfig} from '../src/pod/config/config.ts';
import {loadManifest} from '../src/pod/open/manifest/load-manifest.ts';
import {toolsAbout} from '../src/pod/protocol/tool-definitions.ts';
import {commandNames} from '../src/screen/model/commands/commands.ts';
import {createKeymap} from '../src/screen/model/keys/keymap.ts';
import {projectRoot} from './helpers/built.ts';
import {checkedKinds, examplesIn, readExamples, uncheckedExamples, type Example} from './helpers/examples.ts';
import {tempProject} from './helpers/temp-project.ts';

/** Returns the texts of the code spans. */
function wordsIn(markdown = ''): string[] {
	return [...markdown.matchAll(/`([^`]+)`/gu)].map(([, word]) => word!);
}

const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const tracked = execFileSync('git', listing, {cwd: projectRoot, encoding: 'utf8'})
	.split('\0')
	.filter(file => existsSync(path.join(projectRoot, file)));
const pages = tracked.filter(file => /^(?:README|CONTRIBUTING|AGENTS|docs\/[\w-]+|src\/.+\/README)\.md$/.test(file));

/** The code spans of these pages name files of this repository. Other pages also name files of the user's project. */
const developerPages = [
	'AGENTS.md',
	'CONTRIBUTING.md',
	'docs/laws.md',
	'docs/one-frame.md',
	'docs/one-submit.md',
	'docs/start.md',
	'docs/upstream.md',
	...pages.filter(page => page.startsWith('src/')),
];

describe('the configuration in the documentation', () => {
	const examples = readExamples();

	it.each(examples.filter(({kind}) => kind === 'toml config.toml'))('is valid: $page, line $line', async ({text}) => {
		const read = await readConfig(text);
		expect(read).toMatchObject({ok: true});
		expect(read.ok && read.config.warnings).toBeUndefined();
		expect(read.ok && createKeymap(read.config.keys).problems).toEqual([]);
	});

	it.each(examples.filter(({kind}) => kind === 'toml inkpod.toml'))('is valid: $page, line $line', async ({text}) => {
		expect(await readManifest(text)).toMatchObject({ok: true});
	});

	it('is reported when it has a mistake', async () => {
		expect(await readConfig('[keys]\n[screens]\n')).toMatchObject({
			ok: true,
			config: {warnings: [expect.any(String)]},
		});
		expect(await readManifest('[scope]\nread_only = true\n')).toMatchObject({ok: false});
		const read = await readConfig('[keys]\nnew-line = "ctrl+j"\n');
		expect(read.ok && createKeymap(read.config.keys).problems).toHaveLength(1);
	});
});

describe('the documentation', () => {
	it.each(developerPages)('%s names only files that exist', page => {
		expect(missingFiles(page, read(page))).toEqual([]);
	});

	it.each(pages)('%s links only to files and headings that exist', page => {
		expect(brokenLinks(page, read(page))).toEqual([]);
	});

	it('has a test for every example, except those in a list', () => {
		expect(readExamples().filter(isUnknown).map(placeOf)).toEqual([]);
		const unknown = examplesIn('docs/a.md', 'a\n```\nb\n```\n\n```sh\nc\n```\n');
		expect(unknown.filter(isUnknown).map(placeOf)).toEqual(['docs/a.md:2 “”']);
	});

	it('lists every slash command in docs/keys.md, and no other', () => {
		const listed = [...read('docs/keys.md').matchAll(/^\| `\/([\w-]+)/gmu)].map(([, name]) => name);
		expect(new Set(listed)).toEqual(new Set(commandNames));
		expect(listed).toHaveLength(commandNames.length);
	});

	it.each(['file', 'command', 'url'] as const)(
		'explains in docs/approvals.md how rules match each tool with a %s',
		kind => {
			const rows = [
				...read('docs/approvals.md').matchAll(
					/^\| (?<names>`[^|]*`) \| the (?<what>whole command|path|address)/gmu,
				),
			];
			const named = rows
				.filter(({groups}) => groups?.['what'] === subjectWords[kind])
				.flatMap(({groups}) => wordsIn(groups?.['names']));
			expect(named.toSorted()).toEqual(toolsAbout(kind).toSorted());
		},
	);

	it('names only npm scripts that exist', () => {
		const {scripts} = JSON.parse(read('package.json')) as {readonly scripts: Readonly<Record<string, string>>};
		const named = pages.flatMap(page =>
			[...read(page).matchAll(/\bnpm run (?:--silent )?([\w:]+)/gu)].map(([, name]) => name!),
		);
		expect(named.filter(name => !Object.hasOwn(scripts, name))).toEqual([]);
	});

	it('links every page from the index or from CONTRIBUTING.md', () => {
		const index = read('docs/README.md') + read('CONTRIBUTING.md');
		const missing = pages.filter(
			page =>
				/^docs\/[\w-]+\.md$/u.test(page) &&
				!new RegExp(`\\((?:docs/)?${path.basename(page)}\\)`, 'u').test(index),
		);
		expect(missing).toEqual([]);
	});

	it('is reported when it names a file that does not exist', () => {
		const text =
			'See `screen/view/app.tsx`, `src/worker/` and `scan/scan.ts`; `no-such.ts`, `src/attic/room.ts`, `tui/attic/`.';
		expect(missingFiles('docs/one-frame.md', text)).toEqual(['no-such.ts', 'src/attic/room.ts', 'tui/attic/']);
		const short = '`view/layout`, `terminal/compositor`, `view/attic`, `attic/layout`; `text/sanitize`.';
		expect(missingFiles('src/screen/README.md', short)).toEqual(['view/attic']);
		const links =
			'[a](laws.md), [b](../README.md#install), [c](attic.md), [d](laws.md#attic), [e](https://example.org/)';
		expect(brokenLinks('docs/one-frame.md', links)).toEqual(['attic.md', 'laws.md#attic']);
	});
});

async function readConfig(text: string): ReturnType<typeof loadConfig> {
	const project = await tempProject({'inkpod/config.toml': text});
	return loadConfig({XDG_CONFIG_HOME: project.dir});
}

async function readManifest(text: string): ReturnType<typeof loadManifest> {
	const project = await tempProject({'inkpod.toml': text, 'packages/app/': ''});
	return loadManifest({start: project.dir, trusted: async () => true});
}

/** The words with which the table of rules begins to describe a subject. */
const subjectWords = {file: 'path', command: 'whole command', url: 'address'};

function isUnknown({page, kind}: Example): boolean {
	return !checkedKinds.some(known => known === kind) && !Object.hasOwn(uncheckedExamples, `${page} ${kind}`);
}

function placeOf({page, line, kind}: Example): string {
	return `${page}:${line} “${kind}”`;
}

function read(file: string): string {
	return readFileSync(path.join(projectRoot, file), 'utf8');
}

/**
Returns the files and folders in code spans that do not exist. A name is a path from the root, from `src/` or from the
page's folder, or the end of a path. If it begins with a folder next to the page, it may lack its extension. A name with
a placeholder is a file that the reader will create.
*/
function missingFiles(page: string, text: string): readonly string[] {
	const spans = [...text.matchAll(/`([\w./-]+)`/g)].map(([, span]) => span!);
	const names = spans.filter(span => /^[\w-][\w./-]*(?:\/|\.(?:ts|tsx|mjs|md|json))$/.test(span) && !isBuilt(span));
	const folder = path.dirname(page);
	const short = spans.filter(span => /^[\w-]+(?:\/[\w-]+)+$/.test(span) && isBeside(span, folder));
	return [
		...names.filter(name => !tracked.some(file => isNamed(file, name, folder))),
		...short.filter(name => !tracked.some(file => isWithoutExtension(file, `${folder}/${name}`))),
	];
}

/** The build or a package manager creates these files. */
function isBuilt(name: string): boolean {
	return /^(?:dist|node_modules)\//.test(name);
}

function isNamed(file: string, name: string, folder: string): boolean {
	const isFolder = name.endsWith('/');
	const starts = ['', 'src/', `${folder}/`].map(start => path.posix.join(start, name));
	if (isFolder) return starts.some(start => file.startsWith(start)) || file.includes(`/${name}`);
	return starts.includes(file) || file.endsWith(`/${name}`);
}

/** Tells whether a path begins with a folder that is next to the page. */
function isBeside(name: string, folder: string): boolean {
	const [first = ''] = name.split('/');
	return folder.startsWith('src/') && tracked.some(file => file.startsWith(`${folder}/${first}/`));
}

/** Tells whether a name without an extension is this file, or a folder that contains it. */
function isWithoutExtension(file: string, name: string): boolean {
	return file === `${name}.ts` || file === `${name}.tsx` || file.startsWith(`${name}/`);
}

function brokenLinks(page: string, text: string): readonly string[] {
	const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, link]) => link!)
		.filter(link => !/^[a-z]+:/.test(link));
	return links.filter(link => {
		const [file = '', heading] = link.split('#');
		const target = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(file));
		if (!existsSync(path.join(projectRoot, target))) return true;
		return heading !== undefined && target.endsWith('.md') && !headingsOf(read(target)).has(heading);
	});
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
function headingsOf(text: string): ReadonlySet<string> {
	const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
	return new Set(
		titles.map(title =>
			title
				.toLowerCase()
				.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
				.replaceAll(' ', '-'),
		),
	);
}
