import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {projectRoot} from './helpers/built.ts';
import {screenRooms, upwardImports} from './helpers/screen-rooms.ts';
import {
	stateAssignments,
	strayElements,
	strayExports,
	strayMounts,
	strayStores,
	strayWrites,
	type Exceptions,
} from './helpers/screen-rules.ts';
import {parseSource, type SourceFile} from './helpers/source-file.ts';
import {changeableTypes} from './helpers/state-types.ts';

/**
Each of these files mounts the tree with Ink's `render`. Its contents come from its own store, apart from the state.
*/
const mounts: Exceptions = {
	'src/screen/mount/mount.tsx': 'the chat and the session picker: in full, inline and for screen readers',
};

const sources = ['src/text', 'src/transcript', 'src/screen'].flatMap(root =>
	readdirSync(path.join(projectRoot, root), {recursive: true, encoding: 'utf8'})
		.filter(name => /\.tsx?$/u.test(name))
		.map(name => parseSource(`${root}/${name}`, readFileSync(path.join(projectRoot, root, name), 'utf8'))),
);

describe("the screen's elements", () => {
	it('are created only by components', () => {
		expect(strayElements(sources, mounts)).toEqual([]);
		expect(
			strayElements(
				[
					source(
						'src/screen/a.tsx',
						'export function A() { return <>{rows.map(row => <B row={row}><C /></B>)}</>; }',
					),
					source('src/screen/b.tsx', 'const rows = () => <A />;\nfunction makeRow() { return <><A /></>; }'),
					source('src/screen/c.tsx', 'class C { render() { return <A />; }\nother() { return <A />; } }'),
					source('src/screen/e.tsx', 'memo(function E() { return <A />; });'),
					source('src/screen/d.ts', `createElement('div');\nReact.cloneElement(a)`),
					source('src/screen/mount/mount.tsx', 'render(<A />)'),
				],
				mounts,
			),
		).toEqual([
			'src/screen/b.tsx:1 makes an element outside a component',
			'src/screen/b.tsx:2 makes an element outside a component',
			'src/screen/c.tsx:2 makes an element outside a component',
			'src/screen/d.ts:1 makes an element without JSX',
			'src/screen/d.ts:2 makes an element without JSX',
		]);
	});

	it('share .tsx files only with contexts and types', () => {
		expect(strayExports(sources, mounts)).toEqual([]);
		expect(
			strayExports(
				[
					source(
						'src/screen/a.tsx',
						'export function A() {}\nexport const B = memo(A), BContext = createContext(0)',
					),
					source('src/screen/d.tsx', 'export type d = 0;\nexport class D {}'),
					source(
						'src/screen/b.tsx',
						'export const limit = 3;\nexport function isSame() {}\nexport {A, b as c}',
					),
					source('src/screen/e.tsx', `export * from './a.tsx'`),
					source('src/screen/c.ts', 'export const limit = 3'),
				],
				{},
			),
		).toEqual([
			'src/screen/b.tsx:1 exports limit, which is not a component',
			'src/screen/b.tsx:2 exports isSame, which is not a component',
			'src/screen/b.tsx:3 exports c, which is not a component',
			'src/screen/e.tsx:1 exports another file',
		]);
	});

	it('are mounted only in the listed files', () => {
		expect(strayMounts(sources, mounts)).toEqual([]);
		const mounting = strayMounts(sources, {}).map(sentence => sentence.replace(/:.*/u, ''));
		expect(mounting.toSorted()).toEqual(Object.keys(mounts).toSorted());
		expect(
			strayMounts(
				[
					source('src/screen/a.tsx', `import {Box} from 'ink';\nimport {render as show} from 'ink'`),
					source('src/screen/b.tsx', `import {render} from '../src/screen/rows/parts/render.ts'`),
				],
				{},
			),
		).toEqual(['src/screen/a.tsx:2 mounts a tree']);
	});
});

describe('the terminal', () => {
	it('is written only by its own stage and by Ink', () => {
		expect(strayWrites(sources, {})).toEqual([]);
		expect(
			strayWrites(
				[
					source(
						'src/screen/a.ts',
						[
							`options.stdout.write('a')`,
							'process.stdout.columns',
							'console.log(1)',
							`writeSync(1, 'b')`,
							'const write = stdout!.write',
						].join(';\n'),
					),
					source('src/screen/b.ts', 'stdout.columns;\ncreatePainter(stdout);\ndrafts.write(1)'),
					source('src/screen/terminal/c.ts', `stdout.write('a')`),
				],
				{},
			),
		).toEqual([
			'src/screen/a.ts:1 uses stdout.write',
			'src/screen/a.ts:2 uses process.stdout',
			'src/screen/a.ts:3 uses console.log',
			'src/screen/a.ts:4 uses writeSync',
			'src/screen/a.ts:5 uses stdout.write',
		]);
	});
});

describe('the state', () => {
	it('is set only by createApp', () => {
		const doors = {
			'src/screen/control/create-app.ts': 'the one door',
			'src/screen/mount/open-picker.ts': 'the one door of the session picker, which is there before a session is',
			'src/screen/mount/spoken-view.ts': 'what was said to a screen reader, apart from the state',
		};
		expect(strayStores(sources, {...mounts, ...doors})).toEqual([]);
		expect(
			strayStores(
				[
					source('src/screen/a.tsx', 'const [a, setA] = useState(0);\nReact.useReducer(f);\nuseStore(shown)'),
					source('src/screen/b.ts', 'store.setState(next);\ncreateStore<AppState>(() => a)'),
				],
				{},
			),
		).toEqual([
			'src/screen/a.tsx:1 calls useState',
			'src/screen/a.tsx:2 calls useReducer',
			'src/screen/b.ts:1 calls setState',
			'src/screen/b.ts:2 calls createStore',
		]);
	});

	it('is never changed by an assignment', () => {
		// The fold calls its growing transcript a state. A TranscriptStore contains this transcript.
		expect(stateAssignments(sources.filter(({path: name}) => !name.startsWith('src/transcript/')))).toEqual([]);
		expect(
			stateAssignments([
				source(
					'src/screen/a.ts',
					[
						'app.state.card = undefined',
						'state.now++',
						'delete (state as Loose).queue[0]',
						'Object.assign(app.state.card!, {id: 1})',
						'this.state = 1; const {state} = app; runtime.timer = 1; state === 1',
					].join(';\n'),
				),
			]),
		).toEqual([1, 2, 3, 4].map(line => `src/screen/a.ts:${line} assigns to the state`));
	});

	const types = [
		['model/app-state.ts', 'AppState'],
		['model/app-state.ts', 'Action'],
	] as const;
	it.each(types)('contains only readonly values: %s', (file, type) => {
		const handles = {
			TranscriptStore: 'the growing transcript: `transcriptVersion` says when it has changed',
			Keymap: 'what the keys mean, constant as long as the screen is there',
		};
		expect(changeableTypes(sources, `src/screen/${file}`, type, handles)).toEqual([]);
		for (const handle of Object.keys(handles)) {
			const {[handle as keyof typeof handles]: _, ...others} = handles;
			if (type === 'AppState')
				expect(changeableTypes(sources, `src/screen/${file}`, type, others)).not.toEqual([]);
		}
	});

	it.each([
		['a: number', 'a is not readonly'],
		['readonly a: string[]', 'a list is not readonly'],
		['readonly a: readonly (readonly [number, string[]])[]', 'a list is not readonly'],
		['readonly a: [number]', 'a list is not readonly'],
		['readonly a: () => void', 'a value is a function'],
		['stop(): void', 'stop is a function'],
		['readonly a: Readonly<Promise<number>> | undefined', 'Promise is not a value'],
		['readonly a?: Map<string, number>', 'Map is not a value'],
		['readonly a: ReadonlyMap<string, Set<number>>', 'Set is not a value'],
		['readonly a: NodeJS.Timeout', 'NodeJS.Timeout is not a value'],
		['readonly a: {readonly b: AbortController}', 'AbortController is not a value'],
		['[key: string]: number', 'an index is not readonly'],
		['readonly a: {[Key in Name]: number}', 'an index is not readonly'],
	])('is reported as changeable when it has `%s`, wherever the type is declared', (member, sentence) => {
		const declared = [
			source(
				'src/screen/state.ts',
				`import type {Slice as S} from './x/slice.ts';\nexport type State = {readonly s?: readonly S[]}`,
			),
			source(
				'src/screen/x/slice.ts',
				`import type {Base} from './base.ts';\nexport type Slice = Base & {readonly kind: 'slice'}`,
			),
			source('src/screen/x/base.ts', `export interface Base {readonly self?: Base; ${member}}`),
		];
		expect(changeableTypes(declared, 'src/screen/state.ts', 'State')).toEqual([
			`src/screen/x/base.ts:1 ${sentence}`,
		]);
	});

	it('is accepted as readonly when its lists, maps, tuples and records are readonly', () => {
		const text =
			'type State = {readonly a: readonly string[]; readonly b: ReadonlyMap<string, number>;' +
			' readonly c: readonly [1, 2]; readonly d: {readonly [key: string]: number}; readonly e: ' +
			'ReadonlyArray<Readonly<Record<string, 1>>>}';
		expect(changeableTypes([source('src/screen/a.ts', text)], 'src/screen/a.ts', 'State')).toEqual([]);
		const empty = changeableTypes([source('src/screen/a.ts', '')], 'src/screen/a.ts', 'State');
		expect(empty).toEqual(['src/screen/a.ts declares no State']);
	});
});

describe('the rooms of src/screen', () => {
	it('import only rooms below them', () => {
		expect(upwardImports(sources, 'src/screen', screenRooms)).toEqual([]);
		const used = screenRooms.filter(room => sources.some(file => file.path.startsWith(`src/screen/${room}/`)));
		expect(used).toEqual(screenRooms);
	});

	it.each([
		['spans/row.ts', '../terminal/terminal.ts'],
		['terminal/clipboard.ts', '../control/app.ts'],
		['editor/editor.ts', '../model/composer/composer-state.ts'],
		['rows/tool.ts', '../view/transcript/block-view.tsx'],
		['rows/store.ts', '../model/app-state.ts'],
		['model/search/search-state.ts', '../../control/search/search-effects.ts'],
		['model/search/finder.ts', '../../view/search/search-rows.ts'],
		['view/search/search-rows.ts', '../../control/app.ts'],
		['view/search/search-bar.tsx', '../../control/search/search-keys.ts'],
		['control/search/search-effects.ts', '../../mount/draw.ts'],
	])('are reported when they import a room above: %s imports %s', (file, imported) => {
		const target = path.posix.join('src/screen', path.posix.dirname(file), imported);
		const breaches = upwardImports(
			[source(`src/screen/${file}`, `import './other.ts';\nimport type {A} from '${imported}'`)],
			'src/screen',
			screenRooms,
		);
		expect(breaches).toEqual([`src/screen/${file}:2 (${file.split('/')[0]}) imports ${target}`]);
	});

	it('contain all files of the screen', () => {
		const files = [source('src/screen/attic.ts', ''), source('src/screen/attic/view.ts', '')];
		expect(upwardImports(files, 'src/screen', screenRooms)).toEqual([
			'src/screen/attic.ts is in no room',
			'src/screen/attic/view.ts is in no room',
		]);
	});

	it('give components rows and hooks, not the state', () => {
		const state = /model\/(?:app-state|actions|reduce|selectors)\.ts$/u;
		const reading = (files: readonly SourceFile[]) =>
			files
				.filter(file => /^src\/screen\/view\/.*\.tsx$/u.test(file.path))
				.filter(file => file.imports.some(({specifier}) => state.test(specifier)))
				.map(file => file.path);
		expect(reading(sources)).toEqual([]);
		const text = `import type {AppState} from '../model/app-state.ts'`;
		expect(reading([source('src/screen/view/app.tsx', text)])).toEqual(['src/screen/view/app.tsx']);
	});
});

function source(name: string, text: string): SourceFile {
	return parseSource(name, text);
}
