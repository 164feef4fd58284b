import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {projectRoot} from './helpers/built.ts';
import {arrowsAgainstPlan, circlesIn, plan} from './helpers/screen-plan.ts';
import {
	fullFolders,
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
	'src/tui/screen/mount.tsx': 'the chat and the session picker: in full, inline and for screen readers',
};

const sources = readdirSync(path.join(projectRoot, 'src/tui'), {recursive: true, encoding: 'utf8'})
	.filter(name => /\.tsx?$/u.test(name))
	.map(name => parseSource(`src/tui/${name}`, readFileSync(path.join(projectRoot, 'src/tui', name), 'utf8')));

describe("the screen's elements", () => {
	it('are created only by components', () => {
		expect(strayElements(sources, mounts)).toEqual([]);
		expect(
			strayElements(
				[
					source(
						'src/tui/a.tsx',
						'export function A() { return <>{rows.map(row => <B row={row}><C /></B>)}</>; }',
					),
					source('src/tui/b.tsx', 'const rows = () => <A />;\nfunction makeRow() { return <><A /></>; }'),
					source('src/tui/c.tsx', 'class C { render() { return <A />; }\nother() { return <A />; } }'),
					source('src/tui/e.tsx', 'memo(function E() { return <A />; });'),
					source('src/tui/d.ts', `createElement('div');\nReact.cloneElement(a)`),
					source('src/tui/screen/mount.tsx', 'render(<A />)'),
				],
				mounts,
			),
		).toEqual([
			'src/tui/b.tsx:1 makes an element outside a component',
			'src/tui/b.tsx:2 makes an element outside a component',
			'src/tui/c.tsx:2 makes an element outside a component',
			'src/tui/d.ts:1 makes an element without JSX',
			'src/tui/d.ts:2 makes an element without JSX',
		]);
	});

	it('share .tsx files only with contexts and types', () => {
		expect(strayExports(sources, mounts)).toEqual([]);
		expect(
			strayExports(
				[
					source(
						'src/tui/a.tsx',
						'export function A() {}\nexport const B = memo(A), BContext = createContext(0)',
					),
					source('src/tui/d.tsx', 'export type d = 0;\nexport class D {}'),
					source('src/tui/b.tsx', 'export const limit = 3;\nexport function isSame() {}\nexport {A, b as c}'),
					source('src/tui/e.tsx', `export * from './a.tsx'`),
					source('src/tui/c.ts', 'export const limit = 3'),
				],
				{},
			),
		).toEqual([
			'src/tui/b.tsx:1 exports limit, which is not a component',
			'src/tui/b.tsx:2 exports isSame, which is not a component',
			'src/tui/b.tsx:3 exports c, which is not a component',
			'src/tui/e.tsx:1 exports another file',
		]);
	});

	it('are mounted only in the listed files', () => {
		expect(strayMounts(sources, mounts)).toEqual([]);
		const mounting = strayMounts(sources, {}).map(sentence => sentence.replace(/:.*/u, ''));
		expect(mounting.toSorted()).toEqual(Object.keys(mounts).toSorted());
		expect(
			strayMounts(
				[
					source('src/tui/a.tsx', `import {Box} from 'ink';\nimport {render as show} from 'ink'`),
					source('src/tui/b.tsx', `import {render} from '../src/tui/transcript/rows/parts/render.ts'`),
				],
				{},
			),
		).toEqual(['src/tui/a.tsx:2 mounts a tree']);
	});
});

describe('the terminal', () => {
	it('is written only by its own stage and by Ink', () => {
		expect(strayWrites(sources, {})).toEqual([]);
		expect(
			strayWrites(
				[
					source(
						'src/tui/a.ts',
						[
							`options.stdout.write('a')`,
							'process.stdout.columns',
							'console.log(1)',
							`writeSync(1, 'b')`,
							'const write = stdout!.write',
						].join(';\n'),
					),
					source('src/tui/b.ts', 'stdout.columns;\ncreatePainter(stdout);\ndrafts.write(1)'),
					source('src/tui/terminal/c.ts', `stdout.write('a')`),
				],
				{},
			),
		).toEqual([
			'src/tui/a.ts:1 uses stdout.write',
			'src/tui/a.ts:2 uses process.stdout',
			'src/tui/a.ts:3 uses console.log',
			'src/tui/a.ts:4 uses writeSync',
			'src/tui/a.ts:5 uses stdout.write',
		]);
	});
});

describe('the state', () => {
	it('is set only by createApp', () => {
		const doors = {
			'src/tui/state/create-app.ts': 'the one door',
			'src/tui/picker/open-picker.ts': 'the one door of the session picker, which is there before a session is',
			'src/tui/spoken/spoken-view.ts': 'what was said to a screen reader, apart from the state',
		};
		expect(strayStores(sources, {...mounts, ...doors})).toEqual([]);
		expect(
			strayStores(
				[
					source('src/tui/a.tsx', 'const [a, setA] = useState(0);\nReact.useReducer(f);\nuseStore(shown)'),
					source('src/tui/b.ts', 'store.setState(next);\ncreateStore<AppState>(() => a)'),
				],
				{},
			),
		).toEqual([
			'src/tui/a.tsx:1 calls useState',
			'src/tui/a.tsx:2 calls useReducer',
			'src/tui/b.ts:1 calls setState',
			'src/tui/b.ts:2 calls createStore',
		]);
	});

	it('is never changed by an assignment', () => {
		// The fold calls its growing transcript a state. A TranscriptStore contains this transcript.
		expect(
			stateAssignments(sources.filter(({path: name}) => !name.startsWith('src/tui/transcript/fold/'))),
		).toEqual([]);
		expect(
			stateAssignments([
				source(
					'src/tui/a.ts',
					[
						'app.state.card = undefined',
						'state.now++',
						'delete (state as Loose).queue[0]',
						'Object.assign(app.state.card!, {id: 1})',
						'this.state = 1; const {state} = app; runtime.timer = 1; state === 1',
					].join(';\n'),
				),
			]),
		).toEqual([1, 2, 3, 4].map(line => `src/tui/a.ts:${line} assigns to the state`));
	});

	const types = [
		['state/app-state.ts', 'AppState'],
		['state/actions.ts', 'Action'],
	] as const;
	it.each(types)('contains only readonly values: %s', (file, type) => {
		const handles = {
			TranscriptStore: 'the growing transcript: `transcriptVersion` says when it has changed',
			Keymap: 'what the keys mean, constant as long as the screen is there',
		};
		expect(changeableTypes(sources, `src/tui/${file}`, type, handles)).toEqual([]);
		for (const handle of Object.keys(handles)) {
			const {[handle as keyof typeof handles]: _, ...others} = handles;
			if (type === 'AppState') expect(changeableTypes(sources, `src/tui/${file}`, type, others)).not.toEqual([]);
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
				'src/tui/state.ts',
				`import type {Slice as S} from './x/slice.ts';\nexport type State = {readonly s?: readonly S[]}`,
			),
			source(
				'src/tui/x/slice.ts',
				`import type {Base} from './base.ts';\nexport type Slice = Base & {readonly kind: 'slice'}`,
			),
			source('src/tui/x/base.ts', `export interface Base {readonly self?: Base; ${member}}`),
		];
		expect(changeableTypes(declared, 'src/tui/state.ts', 'State')).toEqual([`src/tui/x/base.ts:1 ${sentence}`]);
	});

	it('is accepted as readonly when its lists, maps, tuples and records are readonly', () => {
		const text =
			'type State = {readonly a: readonly string[]; readonly b: ReadonlyMap<string, number>;' +
			' readonly c: readonly [1, 2]; readonly d: {readonly [key: string]: number}; readonly e: ' +
			'ReadonlyArray<Readonly<Record<string, 1>>>}';
		expect(changeableTypes([source('src/tui/a.ts', text)], 'src/tui/a.ts', 'State')).toEqual([]);
		const empty = changeableTypes([source('src/tui/a.ts', '')], 'src/tui/a.ts', 'State');
		expect(empty).toEqual(['src/tui/a.ts declares no State']);
	});
});

describe('the folders of src/tui', () => {
	it('have at most 12 files each, without their texts', () => {
		expect(
			fullFolders(
				sources.filter(file => !file.path.endsWith('/texts.ts')),
				12,
			),
		).toEqual([]);
		const many = (folder: string, count: number) =>
			Array.from({length: count}, (_, at) => source(`${folder}/${at}.ts`, ''));
		const files = [...many('src/tui', 13), ...many('src/tui/card', 12), ...many('src/tui/card/view', 14)];
		expect(fullFolders(files, 12)).toEqual(['src/tui has 13 files', 'src/tui/card/view has 14 files']);
	});

	it('import each other only as planned', () => {
		expect(arrowsAgainstPlan(sources)).toEqual([]);
		expect(circlesIn(plan)).toEqual([]);
		const names = sources.map(each => each.path.slice('src/tui/'.length));
		const used = new Set(names.map(name => plan.find(({files}) => files.test(name))));
		expect(plan.filter(room => !used.has(room))).toEqual([]);
		expect(
			circlesIn([
				{name: 'text', files: /a/u, may: []},
				{name: 'state', files: /b/u, may: ['text', 'readers']},
				{name: 'readers', files: /c/u, may: ['state']},
			]),
		).toEqual(['state', 'readers']);
	});

	it.each([
		['text/row.ts', '../terminal/terminal.ts', 'text', 'terminal'],
		['terminal/input/paste.ts', '../terminal.ts', 'input', 'terminal'],
		['terminal/clipboard.ts', '../state/app.ts', 'terminal', 'services'],
		['composer/editor/editor.ts', '../composer-state.ts', 'editor', 'values'],
		['transcript/fold/fold.ts', '../rows/tool.ts', 'fold', 'rows'],
		['transcript/rows/tool.ts', '../blocks/block-views.tsx', 'rows', 'components'],
		['transcript/store.ts', '../state/app-state.ts', 'transcript', 'state'],
		['search/search-state.ts', '../state/app-state.ts', 'values', 'state'],
		['search/search-state.ts', './search-effects.ts', 'values', 'handlers'],
		['search/search-rows.ts', './search-effects.ts', 'readers', 'handlers'],
		['search/search-rows.ts', '../state/app.ts', 'readers', 'services'],
		['search/search-reducers.ts', './search-effects.ts', 'reducers', 'handlers'],
		['layout.ts', './search/search-effects.ts', 'readers', 'handlers'],
		['layout.ts', './app.tsx', 'readers', 'components'],
		['search/search-bar.tsx', './search-effects.ts', 'components', 'handlers'],
		['search/search-bar.tsx', './search-keys.ts', 'components', 'handlers'],
		['search/search-bar.tsx', '../state/app.ts', 'components', 'services'],
		['app.tsx', './state/app-state.ts', 'components', 'state'],
		['hooks/use-rows.ts', '../search/search-state.ts', 'hooks', 'values'],
		['hooks/use-rows.ts', '../search/search-bar.tsx', 'hooks', 'components'],
		['search/search-effects.ts', '../state/create-app.ts', 'handlers', 'door'],
		['search/search-effects.ts', '../screen/draw.ts', 'handlers', 'screen'],
		['search/search-keys.ts', './search-bar.tsx', 'handlers', 'components'],
		['state/create-app.ts', '../screen/draw.ts', 'door', 'screen'],
	])('may not import each other against the plan: %s imports %s', (file, imported, from, to) => {
		const target = path.posix.join('src/tui', path.posix.dirname(file), imported);
		const breaches = arrowsAgainstPlan([source(`src/tui/${file}`, `import '${imported}'`)]);
		expect(breaches).toEqual([`src/tui/${file}:1 (${from}) imports ${target} (${to})`]);
	});

	it('contain only files that are in the plan', () => {
		const files = [source('src/tui/attic.ts', ''), source('src/tui/search/pattern.ts', '')];
		expect(arrowsAgainstPlan(files)).toEqual(['src/tui/attic.ts is in no room of the plan']);
	});
});

function source(name: string, text: string): SourceFile {
	return parseSource(name, text);
}
