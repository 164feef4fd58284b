import {describe, expect, it} from 'vitest';
import {readAgain} from '../../src/pod/context/compaction/auto-read.ts';
import {createAutoReadChoice} from '../../src/pod/context/compaction/auto-read.ts';
import {estimateTokens} from '../../src/pod/ground/text/tokens.ts';
import {createInstructions} from '../../src/pod/references/instructions/instructions.ts';
import {defaultLimits} from '../../src/pod/config/limits.ts';
import type {Item, Message} from '../../src/pod/protocol.ts';
import {readText} from '../../src/pod/scope/read.ts';
import {hasHandlePaths} from '../../src/pod/platform/file-identity.ts';
import {createStaleCheck} from '../../src/pod/references/submission/stale.ts';
import {resolveRefs} from '../../src/pod/references/submission/refs.ts';
import {globTool} from '../../src/pod/tools/search/glob.ts';
import {searchBuiltin} from '../../src/pod/tools/search/grep-builtin.ts';
import {grepTool} from '../../src/pod/tools/search/grep.ts';
import {readFileTool} from '../../src/pod/tools/files/read-file.ts';
import {findRipgrep} from '../../src/pod/tools/search/find-ripgrep.ts';
import {ripgrepEngine} from '../../src/pod/tools/search/find-ripgrep.ts';
import type {Tool} from '../../src/worker/index.ts';
import {
	attacks,
	makeRace,
	outsideOf,
	pathOf,
	races,
	secret,
	strangeTexts,
	surroundings,
	swapping,
	tries,
	type Attack,
	type Verdict,
} from '../helpers/attack-table.ts';
import {countedClock} from '../helpers/clock.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {searchPaths} from '../pod/references/completion/search-paths.ts';
import {fileTools, type FileTools} from '../pod/tools/files/file-tools.ts';
import {runTool} from '../pod/tools/run-tool.ts';

/**
Runs every attack against every function that uses a path. Nothing outside the project may be revealed or changed, and
each refusal must say why.
*/

/**
The answer of a function for a path. `text` is everything that the model or the user sees. `reason` says why it is not
the expected result.
*/
type Said = {readonly text: string; readonly reason?: string | undefined};

/** A function that accesses the disk. `expects`: the reason that an attack must get, if any. */
type Way = {
	readonly ask: (project: TempProject, path: string) => Promise<Said>;
	readonly expects: (attack: Attack) => string | RegExp | undefined;
	/** Starts a thread or a process each time, so several of them run at once. */ readonly isSlow?: boolean;
	/** Returns the path for each turn of a race. */ readonly raced?: (path: string, turn: number) => string;
	/** Runs in a race only where directories are opened by handle. Elsewhere inkpod promises nothing. */
	readonly needsHandles?: boolean;
};

/** The number of turns of a slow function in a race. */
const atOnce = 8;

const signal = new AbortController().signal;
const refuses = async () => undefined;
const {maxBytes, maxScanBytes} = defaultLimits.fileRefs;
const {maxOutputBytes} = defaultLimits.tools;
const rg = findRipgrep(process.env['PATH'], {pwd: '/nowhere', writable: false, readRoots: [], home: '/'});

const sentences: Readonly<Record<Exclude<Verdict, 'inside'>, RegExp>> = {
	out_of_scope: /outside the directories/,
	not_found: /no such file/,
	not_a_file: /a FIFO, a device/,
	is_directory: /is a directory/,
	io: /could not be read/,
};

const changeSentences: typeof sentences = {
	...sentences,
	out_of_scope: /outside the directories that may be changed/,
	io: /could not be written/,
};

/** Runs a tool and returns the sentence that the model reads. */
function byTool(
	make: (project: TempProject) => Tool,
	args: (path: string) => unknown,
	verdict: (attack: Attack) => Verdict,
): Way {
	return {
		async ask(project, path) {
			const tool = make(project);
			const checked = tool.check(args(path));
			if (!checked.ok) return {text: checked.message, reason: checked.message};
			const {content, summary, isError} = await runTool(tool, args(path), signal, true);
			return {text: `${summary}\n${content}`, reason: isError === true ? content : undefined};
		},
		expects: attack =>
			verdict(attack) === 'inside' ? undefined : sentences[verdict(attack) as Exclude<Verdict, 'inside'>],
	};
}

/** A tool that refuses paths of more than 4096 characters before it looks for them. */
function withPathLimit(way: Way): Way {
	const isTooLong = ({path}: Attack) => typeof path === 'string' && path.length > 4096;
	return {...way, expects: attack => (isTooLong(attack) ? /Too big/ : way.expects(attack))};
}

/**
Runs a tool that changes files. History contains all contents of the files, so only the scope prevents the change.
*/
function byChange(
	name: string,
	args: (path: string, turn: number) => unknown,
	verdict: (attack: Attack) => Verdict,
): Way {
	const all = new WeakMap<TempProject, {readonly tools: FileTools; turn: number}>();
	return {
		async ask(project, path) {
			const state = all.get(project) ?? {tools: fileTools(project), turn: 0};
			all.set(project, state);
			state.turn += 1;
			if (state.turn === 1) for (const content of ['inside\n', `${secret}\n`]) state.tools.attach(path, content);
			else await state.tools.call('read_file', {path});
			const {content, summary, isError} = await state.tools.call(name, args(path, state.turn));
			return {text: `${summary}\n${content}`, reason: isError === true ? content : undefined};
		},
		expects: attack =>
			verdict(attack) === 'inside' ? undefined : changeSentences[verdict(attack) as Exclude<Verdict, 'inside'>],
		needsHandles: true,
	};
}

const ofFolder = ({file, folder = file}: Attack): Verdict => folder;
const ofFile = ({file}: Attack): Verdict => file;
const reasonOf = (attack: Attack) => (attack.file === 'inside' ? undefined : attack.file);

const ways: Readonly<Record<string, Way>> = {
	'a file ref': {
		async ask({scope}, path) {
			const refs = await resolveRefs([{type: 'file_ref', path}], {scope, limits: defaultLimits.fileRefs, signal});
			return {
				text: refs.map(ref => (ref.ok ? ref.draft.text : ref.sentence)).join('\n'),
				reason: refs.map(ref => (ref.ok ? undefined : ref.reason))[0],
			};
		},
		expects: reasonOf,
	},
	'the one reader, as an auto-read uses it': {
		async ask({scope}, path) {
			const read = await readText(scope, path, {maxBytes, maxScanBytes, confirmed: true, signal});
			return read.ok ? {text: read.body} : {text: '', reason: read.reason};
		},
		expects: reasonOf,
	},
	'an auto-read': {
		async ask({scope}, path) {
			const read = await readAgain({path}, {scope, refuses, maxScanBytes, estimate: estimateTokens, signal});
			return read.ok ? {text: read.draft('c').text.replace(/^.*\n/, '')} : {text: '', reason: read.reason};
		},
		expects: reasonOf,
	},
	'a nomination to be read again': withPathLimit(
		byTool(
			({scope}) =>
				createAutoReadChoice({scope, refuses, maxScanBytes, estimate: estimateTokens, budget: 1_000_000})
					.tools[0]!,
			path => ({path}),
			ofFile,
		),
	),
	read_file: byTool(
		({scope}) => readFileTool({scope, maxOutputBytes, maxScanBytes}),
		path => ({path}),
		ofFile,
	),
	glob: byTool(
		({scope}) => globTool({scope, maxOutputBytes}),
		path => ({pattern: '**', path}),
		ofFolder,
	),
	'glob, by its pattern': byTool(
		({scope}) => globTool({scope, maxOutputBytes}),
		path => ({pattern: `${path}/*`}),
		() => 'inside',
	),
	'grep, built in': {
		...byTool(
			({scope}) => grepTool({scope, maxOutputBytes, engine: searchBuiltin}),
			path => ({pattern: '.', path}),
			ofFolder,
		),
		isSlow: true,
	},
	...(rg !== undefined && {
		'grep, by ripgrep': {
			...byTool(
				({scope}) => grepTool({scope, maxOutputBytes, engine: ripgrepEngine(rg)}),
				path => ({pattern: '.', path}),
				ofFolder,
			),
			isSlow: true,
		},
	}),
	write_file: {
		...byChange(
			'write_file',
			(path, turn) => ({path, content: `ours ${turn}\n`}),
			({file, written = file}) => written,
		),
		raced: (path, turn) => (turn % 2 === 0 ? path : `way/new ${turn}/x.txt`),
	},
	edit_file: {
		...byChange('edit_file', (path, turn) => ({path, edits: [{old: '\n', new: ` ours ${turn}\n`}]}), ofFile),
		raced: path => path,
	},
	'instructions on the way to it': {
		async ask({scope}, path) {
			const warnings: string[] = [];
			const instructions = createInstructions({
				scope,
				items: () => [],
				clock: countedClock(),
				onWarning: sentence => warnings.push(sentence),
			});
			const brought = await instructions.due([attached(path)], signal);
			return {text: [...brought.map(({text}) => text), ...warnings].join('\n')};
		},
		expects: () => undefined,
	},
	'a completion': {
		async ask({scope}, path) {
			const {matches} = await searchPaths(scope)(path);
			return {text: JSON.stringify(matches)};
		},
		expects: () => undefined,
	},
	'the question whether it changed': {
		async ask({scope}, path) {
			const [state] = await createStaleCheck({items: () => [attached(path)], scope})(['attached']);
			return {text: '', reason: state!.state};
		},
		expects: ({file}) => (file === 'out_of_scope' ? 'unknown' : undefined),
	},
};

function attached(path: string): Message & Item {
	return {
		id: 'attached',
		at: '',
		type: 'message',
		role: 'system',
		text: '',
		origin: {kind: 'file', path, bytes: 1, totalBytes: 1, lines: 1, truncated: false, sha256: '', mtimeMs: 0},
	};
}

describe.each(Object.entries(ways))(
	'%s',
	(
		_,
		{ask, expects, isSlow = false, raced = (path, turn) => [path, 'way', '.'][turn % 3]!, needsHandles = false},
	) => {
		it.each(attacks.map(attack => [attack.name, attack] as const))(
			'reveals and changes nothing outside the scope for %s, and gives the reason',
			async (_name, attack) => {
				const project = await tempProject(surroundings);
				await attack.make?.(project);
				const before = await outsideOf(project);
				const {text, reason} = await ask(project, pathOf(attack, project));
				for (const strange of strangeTexts) expect(text).not.toContain(strange);
				const expected = expects(attack);
				if (expected !== undefined) expect(reason).toMatch(expected);
				expect(await outsideOf(project)).toEqual(before);
			},
		);

		it.skipIf(needsHandles && !hasHandlePaths).each(races.map(race => [race.name, race] as const))(
			`reveals and changes nothing outside the scope when %s`,
			async (_name, race) => {
				const project = await tempProject(surroundings);
				await makeRace(project, race);
				const before = await outsideOf(project);
				const thread = await swapping(project, race);
				const told = new Set<string>();
				for (let turn = 0; turn < tries; turn += isSlow ? atOnce : 1) {
					const answers = await Promise.all(
						Array.from({length: isSlow ? atOnce : 1}, async (_each, more) =>
							ask(project, raced(race.path, turn + more)),
						),
					);
					for (const {text} of answers) told.add(text);
				}
				await thread.stop();
				const all = [...told].join('\n');
				for (const strange of strangeTexts) expect(all).not.toContain(strange);
				expect(await outsideOf(project)).toEqual(before);
			},
		);
	},
);

describe.each(
	attacks
		.filter(
			({path, make}) =>
				typeof path === 'string' && make === undefined && !path.includes('\0') && path.length < 4000,
		)
		.map(attack => [attack.name, attack] as const),
)('a link to %s', (_, attack) => {
	it.each(['AGENTS.md', 'CLAUDE.md'])('is refused with a warning, or skipped, when it is called %s', async name => {
		const project = await tempProject({...surroundings, '../.git/': ''});
		await project.link(name, pathOf(attack, project));
		const warnings: string[] = [];
		const instructions = createInstructions({
			scope: project.scope,
			items: () => [],
			clock: countedClock(),
			onWarning: sentence => warnings.push(sentence),
		});
		const brought = await instructions.due([], signal);
		expect(brought).toEqual([]);
		expect(warnings.length).toBe(
			['a missing file of the parent', 'a folder that is called ~', 'a home that is written'].includes(
				attack.name,
			)
				? 0
				: 1,
		);
	});
});
